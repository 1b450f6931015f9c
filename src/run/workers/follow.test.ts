import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Clock, Micros } from '../../base/index.ts';
import { exchange, header } from '../../testing/history/sample-records.ts';
import { follower } from './follow.ts';

const folder = mkdtempSync(join(tmpdir(), 'spillway-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const RECORDS = 20_000;
const path = join(folder, 'history.ndjson');
const all = Array.from({ length: RECORDS }, (_, seq) =>
  exchange({ seq, arrival: seq, worker: 1, receivedAt: 5_000 as Micros }),
);
writeFileSync(path, [header(), ...all].map((record) => `${JSON.stringify(record)}\n`).join(''));

/** Follows the journal with a clock on which each record takes 10 µs to process. */
async function follow(isUrgent: boolean) {
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
});
