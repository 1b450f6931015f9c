import { expect, it } from 'vitest';
import { type Micros, VirtualClock } from '../../base/index.ts';
import { atIntervals } from './at-intervals.ts';

const SECOND = 1_000_000;

/** Instants, in seconds, of acts of which each takes as long as `takes` says; the fifth is the last. */
async function acts(takes: (nth: number) => number, signal = new AbortController().signal): Promise<number[]> {
  const clock = new VirtualClock();
  const at: number[] = [];
  await clock.run(() =>
    atIntervals(clock, SECOND, signal, (now) => {
      clock.set((now + takes(at.push(now / SECOND)) * SECOND) as Micros);
      return at.length === 5;
    }),
  );
  return at;
}

it('acts at each multiple of an interval, and after a long act leaves as much time to everything else', async () => {
  expect(await acts(() => 0)).toEqual([1, 2, 3, 4, 5]);
  expect(await acts(() => 0.4)).toEqual([1, 2, 3, 4, 5]);
  expect(await acts((nth) => (nth === 2 ? 2.5 : 0))).toEqual([1, 2, 8, 9, 10]);
  expect(await acts(() => 0, AbortSignal.abort())).toEqual([]);
});
