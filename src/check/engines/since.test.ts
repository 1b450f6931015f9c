import { describe, expect, it } from 'vitest';
import { unflushed } from '../evidence/bounds.ts';
import { admitted, boundsFor, maybe, sliceOf } from '../readings/sample-attempts.exam.ts';
import { admittedSince } from './since.ts';

const burst = (at: number, count: number) => Array.from({ length: count }, () => admitted(at));
const N20 = boundsFor(20, 60_000);
const since = (attempts: Parameters<typeof sliceOf>[0], bounds = N20, whole = true) =>
  admittedSince({ ...sliceOf(attempts), whole }, bounds);

describe('windows that begin with the first request of all', () => {
  // 20 late in the window that began at 0, and 20 after another's reset: an anchored window of one's own has 20 till 60 000.
  const early = [admitted(0), ...burst(50_000, 19), ...burst(55_000, 20)];

  it('admit N till the first has passed, 2N till the second has', () => {
    expect(since(early)).toMatchObject({
      rule: 'fixed-window-anchored-since',
      observed: 21,
      possible: 20,
      positions: Array.from({ length: 21 }, (_, i) => i),
    });
    expect(since([admitted(0), ...burst(50_000, 19), ...burst(60_000, 20)])).toBeUndefined();
    const second = [admitted(0), ...burst(61_000, 20), ...burst(119_000, 20)];
    expect(since(second)).toMatchObject({ observed: 41, possible: 40 });
    expect(since([admitted(0), ...burst(61_000, 20), ...burst(121_000, 20)])).toBeUndefined();
  });

  it('began with whatever may have counted', () => {
    const late = [...burst(50_000, 20), ...burst(90_000, 1)];
    expect(since(late)).toMatchObject({ observed: 21 });
    expect(since([maybe(20_000), ...late])).toBeUndefined();
    expect(since([maybe(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY), ...late])).toBeUndefined();
  });

  it('say nothing where others may have begun one, or requests of the bucket may be elsewhere', () => {
    expect(since(early, N20, false)).toBeUndefined();
    expect(since(early, boundsFor(20, 60_000, { refusals: unflushed(0, 60_000) }))).toBeUndefined();
    expect(since(early, boundsFor(20, 60_000, { refusals: { provable: false, missing: [] } }))).toBeUndefined();
    expect(since(early, boundsFor(20, 60_000, { shortUs: 54_000 }))).toBeUndefined();
  });
});
