import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Exchange, JournalRecord, StreamRecord } from '../../history/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import * as advice from './examples/advice.exam.ts';
import * as history from './examples/history.exam.ts';
import * as idempotency from './examples/idempotency.exam.ts';
import * as turns from './examples/turns.exam.ts';
import { type Examples, findingsIn, journalOf, type Story } from './finding.exam.ts';

/*
 * Every example of every kind of finding, altered in one place: what is shown then. The golden files have the alterations that
 * change what is shown; all others change nothing. Where that is meant to be otherwise, npx vitest run src/check --update, and
 * read the diff.
 */

const onExchanges: Readonly<Record<string, (one: Exchange) => Exchange>> = {
  'sent 1 µs sooner': (one) => ({ ...one, sentAt: us(one.sentAt - 1) }),
  'sent 1 µs later': (one) => ({ ...one, sentAt: us(one.sentAt + 1) }),
  'received 1 µs sooner': (one) => received(one, -1),
  'received 1 µs later': (one) => received(one, 1),
  'an hour later': (one) => received({ ...one, sentAt: us(one.sentAt + 3.6e9) }, 3.6e9),
  'of another user': (one) => ({ ...one, user: 'u9' }),
  'of another application': (one) => ({ ...one, application: 'a9' }),
  'with another token': (one) => ({ ...one, token: 't9' }),
  'of another conversation': (one) => ({ ...one, conversation: 'c9' }),
  'of another worker': (one) => ({ ...one, worker: 1 }),
  'of another journey': (one) => ({ ...one, arrival: 9, step: 9 }),
  'of another operation': (one) => ({ ...one, operation: 'rateAnswer' }),
  'a resend': (one) => ({ ...one, resend: 'sameContent' as never }),
  'answered 200': (one) => ({ ...one, outcome: 'answered', status: 200 }),
  'answered 422': (one) => ({ ...one, outcome: 'answered', status: 422 }),
  'answered 500': (one) => ({ ...one, outcome: 'answered', status: 500 }),
  unreadable: (one) => ({ ...one, bodyProblem: 'not-json' }),
  unanswered: ({ headersAt: _, status: __, ...one }) => ({ ...one, outcome: 'failed' }),
  'without a turn': (one) => (one.turn ? without(one, 'turn') : one),
  'of a turn that is queued': (one) => withTurn(one, { status: 'queued' }),
  'of a turn that is completed': (one) => withTurn(one, { status: 'completed' }),
  'of a turn that failed': (one) => withTurn(one, { status: 'failed' }),
  'of another turn': (one) => withTurn(one, { id: 't9' }),
  'of a turn with messages': (one) => withTurn(one, { userMessageId: 'i1', assistantMessageId: 'i9' }),
  'of a message with other content': (one) =>
    one.message ? { ...one, message: { ...one.message, digest: 'd-9' } } : one,
  'without a code': (one) => (one.error ? without(one, 'error') : one),
  'without Retry-After': (one) => (one.retryAfter === undefined ? one : without(one, 'retryAfter')),
  'with Retry-After: 1': (one) => (one.outcome === 'refused' ? { ...one, retryAfter: '1' } : one),
  'without header fields': (one) => (one.headers ? without(one, 'headers') : one),
  'with an empty page': (one) => (one.history ? { ...one, history: { ...one.history, items: [] } } : one),
  'with a page of one less': (one) => withPage(one, (page) => ({ ...page, limit: page.limit - 1 })),
  'with a page that is just full': (one) => withPage(one, (page) => ({ ...page, limit: page.items.length })),
  'with a page from 1 on': (one) => withPage(one, (page) => ({ ...page, offset: 1 })),
  'with items turned round': (one) => withPage(one, (page) => ({ ...page, items: [...page.items].reverse() })),
  'with the first item only': (one) => withPage(one, (page) => ({ ...page, items: page.items.slice(0, 1) })),
};

function without(one: Exchange, member: 'turn' | 'error' | 'retryAfter' | 'headers'): Exchange {
  const { [member]: _, ...rest } = one;
  return rest;
}

type Page = NonNullable<Exchange['history']>;

const withPage = (one: Exchange, change: (page: Page) => Page): Exchange =>
  one.history ? { ...one, history: change(one.history) } : one;

function received({ headersAt, ...one }: Exchange, by: number): Exchange {
  return {
    ...one,
    ...(headersAt !== undefined && { headersAt: us(headersAt + by) }),
    receivedAt: us(one.receivedAt + by),
  };
}

const withTurn = (one: Exchange, members: Partial<NonNullable<Exchange['turn']>>): Exchange =>
  one.turn ? { ...one, turn: { ...one.turn, ...members } } : one;

const onEvents: Readonly<Record<string, (one: StreamRecord) => StreamRecord>> = {
  'told 1 µs sooner': (one) => ({ ...one, at: us(one.at - 1) }),
  'told 1 µs later': (one) => ({ ...one, at: us(one.at + 1) }),
  'numbered one less': (one) => ({ ...one, sequence: (one.sequence ?? 0) - 1 }),
  'numbered one more': (one) => ({ ...one, sequence: (one.sequence ?? 0) + 1 }),
  'that opens': (one) => ({ ...one, event: 'opened' }),
  'that completes': (one) => ({ ...one, event: 'completed' }),
  'that fails': (one) => ({ ...one, event: 'failed' }),
  'of another turn': (one) => ({ ...one, turn: 't9' }),
};

const onStories: Readonly<Record<string, (story: Story) => Story>> = {
  'others use the credentials, too': (story) => ({ ...story, header: { ...story.header, exclusive: false } }),
  'not flushed': (story) => ({
    ...story,
    header: { ...story.header, flushed: { rate: false, concurrency: false, daily: false } },
  }),
  incomplete: (story) => ({ ...story, incomplete: true }),
  'in another order': (story) => ({ ...story, records: [...story.records].reverse() }),
  'by clocks that drift': (story) => ({
    ...story,
    header: {
      ...story.header,
      clock: { driftPpm: 1_000, granularityUs: us(1_000_000), maxServerDelayUs: us(30_000_000) },
    },
  }),
};

/** Its records, each altered in each way that alters it, with a name for what was done. */
function* altered(records: readonly JournalRecord[], briefly: boolean): Generator<[string, JournalRecord[]]> {
  for (const [i, record] of records.entries()) {
    yield [`record ${i} lost`, records.toSpliced(i, 1)];
    if (briefly) continue;
    for (const [what, one] of waysToAlter(record))
      if (one !== record) yield [`record ${i} ${what}`, records.toSpliced(i, 1, one)];
  }
}

function* waysToAlter(record: JournalRecord): Generator<[string, JournalRecord]> {
  if (record.kind === 'exchange')
    for (const [what, change] of Object.entries(onExchanges)) yield [what, change(record)];
  if (record.kind === 'stream') for (const [what, change] of Object.entries(onEvents)) yield [what, change(record)];
}

/** A line for each finding; its sentence and data, where these are told elsewhere, as a digest. */
function told(journal: readonly JournalRecord[], inFull = false): string {
  const found = findingsIn(journal).map(({ kind, basis, claim, exchanges, data }) => {
    const rest = JSON.stringify([claim, data]);
    const digest = createHash('sha256').update(rest).digest('hex').slice(0, 6);
    return `${kind} (${basis}) [${exchanges.join(' ')}] ${inFull ? rest : digest}`;
  });
  return found.length === 0 ? 'nothing' : found.join('; ');
}

function toldOfAll({ shown, notShown }: Examples): string {
  const lines: string[] = [];
  const isShown = new Set<Story>(shown);
  for (const story of [...shown, ...notShown]) {
    const journal = journalOf(story);
    lines.push(`${story.because}: ${told(journal, true)}`);
    const plain = told(journal);
    const add = (what: string, now: string) => {
      if (now !== plain) lines.push(`  ${what}: ${now}`);
    };
    for (const [what, change] of Object.entries(onStories)) add(what, told(journalOf(change(story))));
    // Making a header takes longer than all else.
    const head = journal.slice(0, 1);
    const over = journal.slice(1 + story.records.length);
    for (const [what, records] of altered(story.records, !isShown.has(story)))
      add(what, told([...head, ...records, ...ending(over, records)]));
  }
  return `${lines.join('\n')}\n`;
}

/** As many exchanges as there are now. */
const ending = (over: readonly JournalRecord[], records: readonly JournalRecord[]): JournalRecord[] =>
  over.map((one) =>
    one.kind === 'end' ? { ...one, exchanges: records.filter(({ kind }) => kind === 'exchange').length } : one,
  );

describe('every example, altered in one place', () => {
  const all = Object.entries({ ...idempotency, ...turns, ...history, ...advice }).flatMap(
    ([name, examples]): [string, Examples][] => ('shown' in examples ? [[name, examples]] : []),
  );
  it.each(all)('of %s', async (name, examples) => {
    const file = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    await expect(toldOfAll(examples)).toMatchFileSnapshot(`altered/${file}.golden`);
  });
});
