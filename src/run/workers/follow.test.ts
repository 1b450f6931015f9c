import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Clock, Micros } from '../../base/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import { exchange, header } from '../../testing/history/sample-records.ts';
import { follower } from './follow.ts';

const folder = mkdtempSync(join(tmpdir(), 'spillway-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const RECORDS = 20_000;
const journalOf = (name: string, records: readonly JournalRecord[]): string => {
  const path = join(folder, name);
  writeFileSync(path, [header(), ...records].map((record) => `${JSON.stringify(record)}\n`).join(''));
  return path;
};
const each = (record: (seq: number) => JournalRecord) => Array.from({ length: RECORDS }, (_, seq) => record(seq));
const answered = journalOf(
  'answered.ndjson',
  each((seq) => exchange({ seq, arrival: seq, worker: 1, receivedAt: 5_000 as Micros })),
);
/** A burst, of which nothing is answered yet. */
const sent = journalOf(
  'sent.ndjson',
  each((seq) => ({ kind: 'sent', seq, operation: 'readHistory', at: 5_000 as Micros, worker: 1 })),
);

/** Follows a journal with a clock on which each record takes 10 µs to process. */
async function follow(isUrgent: boolean, path = answered) {
  let now = 10_000_000;
  const begun = now;
  const warnings: string[] = [];
  /** Until when everything had been read, at the beginning of each pause. */
  const until = new Set<number>();
  let seen = 0;
  let restedUs = 0;
  const over = new AbortController();
  const clock: Clock = {
    now: () => now as Micros,
    async sleepUntil(at) {
      warnings.push(...following.warnings());
      until.add(following.readUntil(now as Micros));
      if (seen > RECORDS) return over.abort();
      restedUs += at - now;
      now = at;
    },
  };
  const onRecord = () => {
    seen++;
    now += 10;
  };
  const following = follower({ path, clock, onRecord, isUrgent });
  await following.run(over.signal);
  return { seen, restedUs, worked: now - begun - restedUs, warnings, until };
}

describe('the reader of the workers’ journal', () => {
  it('uses a fifth of its time if it only serves the live view, and says how old the view is', async () => {
    const { seen, restedUs, worked, warnings } = await follow(false);
    expect(seen).toBe(RECORDS + 1);
    // No pause follows the last read.
    expect(worked).toBe(10 * (RECORDS + 1));
    expect(restedUs).toBeGreaterThanOrEqual(100_000);
    expect(restedUs / worked).toBeGreaterThan(2.5);
    expect(warnings[0]).toMatch(/^this view is 10\.0 s behind/);
  });

  it('reads without throttling if a gate waits for it', async () => {
    const { seen, restedUs, worked, until } = await follow(true);
    expect(seen).toBe(RECORDS + 1);
    // All records are of 5 ms; others of half a second before may still be on their way.
    expect(until).toEqual(new Set([-495_000]));
    expect(restedUs / worked).toBeLessThan(0.2);
  });

  it('is not up to date because what it read tells of no answer', async () => {
    const { seen, until } = await follow(true, sent);
    expect(seen).toBe(RECORDS + 1);
    expect(until).toEqual(new Set([-495_000]));
  });
});
