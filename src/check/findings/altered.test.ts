import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../history/index.ts';
import { us } from '../../testing/history/sample-records.ts';
import { waysToAlter } from '../alterations.exam.ts';
import { examples } from './examples/index.exam.ts';
import { type Examples, findingsIn, journalOf, type Story } from './finding.exam.ts';

/*
 * Every example of every kind of finding, altered in one place: what is shown then. The golden files have the alterations that
 * change what is shown; all others change nothing. Where that is meant to be otherwise, npx vitest run src/check --update, and
 * read the diff.
 */

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
  it.each(Object.entries(examples))('of %s', async (kind, ofKind) => {
    await expect(toldOfAll(ofKind)).toMatchFileSnapshot(`altered/${kind}.golden`);
  });
});
