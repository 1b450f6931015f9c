import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import { counted, DAY, described, MINUTE, offsets, paced } from './models.exam.ts';

describe('paced-to-limits', () => {
  const NEXT_DAY = (DAY + 20_000) as Micros;
  /** The highest cost of the arrivals in a window of this length, wherever it starts. */
  const fullest = (times: readonly number[], windowUs: number, cost: number) =>
    Math.max(...times.map((from) => times.filter((time) => time >= from && time < from + windowUs).length * cost));

  it('sends as much as the rate limit allows, and no more in any window', () => {
    const times = offsets(paced({ requests: 6 }, 3_600_000));
    // ⌊20 ÷ 6⌋ = 3 journeys per minute plus 20 ms.
    expect(times.slice(0, 4)).toEqual([0, 20_006_667, 40_013_333, 60_020_000]);
    expect(fullest(times, MINUTE, 6)).toBe(18);
    expect(described(paced({ requests: 6 }, 3_600_000))).toBe('paced to the limits: 2.999 per minute (rate), for 1 h');
  });

  it('waits for turns to end if concurrency is the tightest limit', () => {
    const model = paced({ requests: 2, openTurns: 1, openUs: 29_980_000 as Micros }, 120_000);
    expect(offsets(model)).toEqual([
      0, 15_000_000, 30_000_000, 45_000_000, 60_000_000, 75_000_000, 90_000_000, 105_000_000,
    ]);
    expect(described(model)).toContain('(concurrency)');
    const lone = paced({ requests: 2, openTurns: 2, openUs: 29_980_000 as Micros }, 90_000);
    expect(offsets(lone)).toEqual([0, 30_000_000, 60_000_000]);
  });

  it('keeps every day within its quota', () => {
    const times = offsets(paced({ requests: 1, newMessages: 2 }, 2.5 * 86_400_000));
    expect(times).toHaveLength(75);
    expect(fullest(times, DAY, 2)).toBe(50);
    expect(times[25]).toBe(NEXT_DAY);
    expect(described(paced({ requests: 1, newMessages: 2 }, 60_000))).toContain('(rate), 25 a day, for ');
    // A day's 50, and what 100 s of the next hold at 20 in 60.02 s.
    expect(counted(paced({ requests: 1, newMessages: 1 }, 86_500_000))).toBe(50 + 34);
    const threeEach = offsets(paced({ requests: 1, newMessages: 3 }, 2 * 86_400_000));
    expect(fullest(threeEach, DAY, 3)).toBe(48);
    // 58 % of 50 is a little less than 29 in floating point.
    expect(offsets(paced({ requests: 1, newMessages: 1 }, 2 * 86_400_000, 0.58)).indexOf(NEXT_DAY)).toBe(29);
    // Turns of an hour, one after another: 23 a day, which need no more of the quota.
    const long = paced({ requests: 1, newMessages: 1, openTurns: 2, openUs: 3_600_000_000 as Micros }, 2 * 86_400_000);
    expect(offsets(long).indexOf(NEXT_DAY)).toBe(23);
  });

  it('takes a share of every limit', () => {
    const times = offsets(paced({ requests: 5 }, 3_600_000, 0.5));
    expect(fullest(times, MINUTE, 5)).toBe(10);
    expect(described(paced({ requests: 5 }, 60_000, 0.5))).toContain('paced to 50 % of the limits');
  });

  it('gives a journey several windows if it needs them', () => {
    expect(offsets(paced({ requests: 45 }, 300_000))).toEqual([0, 180_060_000]);
  });

  it('cannot be planned before its target is known', () => {
    const { allowance: _, ...unsettled } = paced({ requests: 1 }, 1_000);
    expect(() => offsets(unsettled)).toThrow('the allowance of paced-to-limits is unknown');
    expect(counted(paced({ requests: 1 }, 1_000))).toBe(1);
  });
});
