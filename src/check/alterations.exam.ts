import type { Exchange, JournalRecord, StreamRecord } from '../history/index.ts';
import { us } from '../testing/history/sample-records.ts';

/*
 * A record, altered in one place: for tests that tell what then becomes of what was found, or proven.
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

/** With a name for what was done; what an alteration does not concern comes as it is. */
export function* waysToAlter(record: JournalRecord): Generator<[string, JournalRecord]> {
  if (record.kind === 'exchange')
    for (const [what, change] of Object.entries(onExchanges)) yield [what, change(record)];
  if (record.kind === 'stream') for (const [what, change] of Object.entries(onEvents)) yield [what, change(record)];
}
