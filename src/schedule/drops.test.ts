import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../history/index.ts';
import { us } from '../testing/history/sample-records.ts';
import { Drops } from './drops.ts';

describe('arrivals that the end of a run leaves over', () => {
  it('share a line within a second, but none over the end of the warm-up or of a stage', () => {
    const records: JournalRecord[] = [];
    const drops = new Drops((record) => records.push(record), [us(2_500_000), us(1_300_000), us(0)]);
    const times = [1_000_000, 1_200_000, 1_300_000, 1_900_000, 2_000_000, 2_400_000, 2_600_000, 2_700_000];
    for (const [index, at] of times.entries())
      drops.leave({ index, intendedAt: us(at), phase: 'load', journey: 'ask', user: 0 }, 'stopped');
    drops.flush();
    const told = records.map(
      (record) => record.kind === 'drop' && [record.intendedAt, record.count, record.lastArrival],
    );
    expect(told).toEqual([
      [1_000_000, 2, 1],
      [1_300_000, 2, 3],
      [2_000_000, 2, 5],
      [2_600_000, 2, 7],
    ]);
    expect(drops.count).toBe(8);
  });
});
