import { describe, expect, it } from 'vitest';
import { unflushed } from '../evidence/bounds.ts';
import { Part } from '../evidence/slice.ts';
import { rateReadings, readingNamed } from './index.ts';
import { refute } from './reading.exam.ts';
import { type Attempt, admitted, boundsFor, maybe, refused, sliceOf } from './sample-attempts.exam.ts';

/*
 * Histories of a few attempts whose verdict can be checked by hand.
 */

const N20 = boundsFor(20, 60_000);
const judge = (name: string, attempts: readonly Attempt[], bounds = N20) => {
  const reading = readingNamed(rateReadings, name);
  if (!reading) throw new Error(`no reading ${name}`);
  return refute(reading, sliceOf(attempts), bounds);
};
/** `count` at one instant. */
const burst = (at: number, count: number, make = admitted) => Array.from({ length: count }, () => make(at));

describe('over-admission', () => {
  it.each([
    ['sliding-log', 20, 'sliding-log-n-plus-1', 21, 20],
    ['token-bucket', 20, 'token-bucket-density', 21, 20],
    ['interval-refill', 21, 'interval-refill-density', 22, 21],
    ['sliding-counter', 22, 'sliding-counter-density', 23, 22],
    ['fixed-window', 40, 'universal-2N', 41, 40],
    ['fixed-window-anchored', 40, 'universal-2N', 41, 40],
  ] as const)('of a %s: %i at once are possible, one more is not', (name, possible, rule, observed, most) => {
    const inOneInstant = name.startsWith('fixed') || name === 'sliding-counter';
    expect(judge(name, burst(0, inOneInstant ? 20 : possible))).toBeUndefined();
    expect(judge(name, burst(0, observed))).toMatchObject(
      name.startsWith('fixed') ? { rule } : { rule, observed, possible: most },
    );
  });

  it('of a log shows in a chain of windows that no single one betrays', () => {
    // limits.md 5.1: A at 0, C by 19, B in between can be 10 from only one of them.
    const chain = [admitted(0), admitted(5, 12), admitted(15, 19)];
    expect(judge('sliding-log', chain, boundsFor(1, 10))).toMatchObject({
      rule: 'sliding-log-density',
      observed: 3,
      possible: 2,
      positions: [0, 1, 2],
    });
    expect(judge('sliding-log', [admitted(0), admitted(5, 12), admitted(15, 20)], boundsFor(1, 10))).toBeUndefined();
  });

  it('is not seen in intervals that nest although a replay on sending times would accuse', () => {
    // Sent first, decided last: 0 may be decided at 30, behind the two that are known to be 10 apart.
    expect(judge('sliding-log', [admitted(0, 30), admitted(1, 1), admitted(11, 11)], boundsFor(1, 10))).toBeUndefined();
    expect(
      judge('token-bucket', [admitted(0, 30), admitted(1, 1), admitted(11, 11)], boundsFor(1, 10)),
    ).toBeUndefined();
  });

  it('uses the shortest window that an honest service may have', () => {
    const edge = [...burst(0, 20), admitted(59_000)];
    expect(judge('sliding-log', edge)).toBeDefined();
    expect(judge('sliding-log', edge, boundsFor(20, 60_000, { shortUs: 59_000 }))).toBeUndefined();
  });

  it('of a fixed window of any phase needs bursts that no one phase separates', () => {
    const straddled = (at: number) => [...burst(at, 20), ...burst(at + 1_000, 20)];
    // A boundary in (0, 1000], and one in (20000, 21000] of the circle: not both.
    expect(judge('fixed-window', straddled(0))).toBeUndefined();
    expect(judge('fixed-window', [...straddled(0), ...straddled(120_000)])).toBeUndefined();
    expect(judge('fixed-window', [...straddled(0), ...straddled(140_000)])).toMatchObject({
      rule: 'fixed-window-arcs',
      because: 'over-admission',
      arcs: [{ says: 'boundary-within' }, { says: 'boundary-within' }],
    });
  });

  it('of a fixed window lets each boundary drift until the last of what it separates', () => {
    const straddled = (at: number) => [...burst(at, 20), ...burst(at + 1_000, 20)];
    const drifting = boundsFor(20, 60_000, { drift: 0.01, shortUs: 59_400, longUs: 60_606 });
    // Boundaries in [-10, 1010], and in [1001.6, 5678.4] or [1021.4, 5698.6] of the circle.
    expect(judge('fixed-window', [...straddled(0), ...straddled(182_840)], drifting)).toBeUndefined();
    expect(judge('fixed-window', [...straddled(0), ...straddled(182_860)], drifting)).toMatchObject({
      rule: 'fixed-window-arcs',
      arcs: [
        { says: 'boundary-within', fromUs: 182_860, toUs: 183_860 },
        { says: 'boundary-within', fromUs: 0, toUs: 1_000 },
      ],
    });
  });

  it('of an aligned window is shown by one burst that no minute separates', () => {
    const burstWithin = [...burst(20_000, 11), ...burst(21_000, 10)];
    expect(judge('fixed-window', burstWithin)).toBeUndefined();
    expect(judge('fixed-window-aligned', burstWithin)).toMatchObject({
      arcs: [{ says: 'aligned' }, { says: 'boundary-within' }],
    });
    const unknownHour = boundsFor(20, 60_000, { phaseUncertaintyUs: Number.POSITIVE_INFINITY });
    expect(judge('fixed-window-aligned', burstWithin, unknownHour)).toBeUndefined();
  });

  it('of windows that begin with a request: boundaries nearer than a window, each following from the one before', () => {
    const crowded = (from: number, first: number, to: number) => [...burst(from, first), ...burst(to, 21 - first)];
    // A boundary in [0, 100], so the next not before 60 000, so the next not before 120 000; but one lies before 119 950.
    const chain = [...crowded(0, 11, 100), ...crowded(59_900, 10, 60_090), ...crowded(119_900, 9, 119_950)];
    // Where the first window may have begun before the run.
    const later = boundsFor(20, 60_000, { refusals: unflushed(0, 60_000) });
    expect(judge('fixed-window-anchored', chain.slice(0, 42), later)).toBeUndefined();
    expect(judge('fixed-window-anchored', chain.slice(21), later)).toBeUndefined();
    const says = 'boundary-within';
    expect(judge('fixed-window-anchored', chain, later)).toMatchObject({
      rule: 'fixed-window-anchored-arcs',
      arcs: [
        { says, fromUs: 0, toUs: 100 },
        { says, fromUs: 59_900, toUs: 60_090 },
        { says, fromUs: 119_900, toUs: 119_950 },
      ],
    });
  });

  it('of windows that begin with a request: wherever they begin, they do not hold all', () => {
    const two = boundsFor(2, 60_000);
    const first = [admitted(0, 130), admitted(60_100, 60_213)];
    const next = [admitted(60_214, 60_377), admitted(67_570, 67_750)];
    const last = admitted(120_113, 120_205);
    // If the second began a window, it held the third, too, and the fourth was too many. Otherwise the third began one, which held the
    // fourth and was not over at the fifth.
    expect(judge('fixed-window-anchored', [...first, ...next, last], two)).toMatchObject({
      rule: 'fixed-window-anchored-fit',
      observed: 5,
      possible: 4,
      positions: [0, 1, 2, 3, 4],
    });
    const refuted = (attempts: readonly Attempt[], name = 'fixed-window-anchored', bounds = two) =>
      judge(name, attempts, bounds) !== undefined;
    expect(refuted([...first, ...next, admitted(120_113, 120_214)])).toBe(false);
    // The service may have counted it, or not; it may have begun a window, or not.
    expect(refuted([...first, maybe(60_213), ...next, last])).toBe(false);
    expect(refuted([...first, ...next, last], 'fixed-window-penalty')).toBe(false);
    expect(refuted([...first, ...next, last], 'fixed-window-anchored', boundsFor(3, 60_000))).toBe(false);
    // The last of all may have been decided first.
    const long = [admitted(0, 84_000), admitted(24_000, 108_000), admitted(72_000, 84_000), admitted(72_000, 96_000)];
    expect(refuted([...long, admitted(72_000, 120_000), admitted(72_000, 120_000)])).toBe(false);
    const rested = [admitted(-70_000), ...first, ...next, last, admitted(120_300)];
    expect(judge('fixed-window-anchored', rested, two)).toMatchObject({ positions: [1, 2, 3, 4, 5] });
  });
});

describe('wrongful refusal', () => {
  const nineteen = burst(0, 19);
  it.each([
    ['sliding-log', 'wrongful-refusal-last-window'],
    ['token-bucket', 'wrongful-refusal-token-bucket'],
    ['fixed-window', 'wrongful-refusal-last-window'],
    ['fixed-window-anchored', 'wrongful-refusal-last-window'],
    ['fixed-window-penalty', 'wrongful-refusal-penalty'],
    ['sliding-log-counting-refused', 'wrongful-refusal-counting-refused'],
  ] as const)('under a %s: refused after 19 of 20, not after 20 or after 19 and an unknown one', (name, rule) => {
    expect(judge(name, [...nineteen, refused(10)])).toMatchObject({ rule, needed: 20, observed: 19 });
    expect(judge(name, [...nineteen, admitted(5), refused(10)])).toBeUndefined();
    expect(judge(name, [...nineteen, maybe(5, 1e9), refused(10)])).toBeUndefined();
  });

  it('of a sliding counter looks back two windows', () => {
    expect(judge('sliding-counter', [...nineteen, refused(110_000)])).toMatchObject({
      rule: 'wrongful-refusal-sliding-counter',
      observed: 19,
      needed: 20,
    });
    expect(judge('sliding-counter', [...burst(0, 20), refused(110_000)])).toBeUndefined();
    expect(judge('sliding-counter', [...burst(0, 20), refused(121_000)])).toMatchObject({ observed: 0 });
  });

  it('of a sliding counter of one grants none: where nothing counts, every variant admits', () => {
    const one = boundsFor(1, 10_000);
    expect(judge('sliding-counter', [refused(0)], one)).toMatchObject({ needed: 1, observed: 0 });
    expect(judge('sliding-counter', [admitted(0), refused(19_000)], one)).toBeUndefined();
    expect(judge('sliding-counter', [admitted(0), refused(21_000)], one)).toMatchObject({ needed: 1, observed: 0 });
  });

  it('of a bucket: after 20 a token is back 3 s later', () => {
    expect(judge('token-bucket', [...burst(0, 20), refused(2_999)])).toBeUndefined();
    expect(judge('token-bucket', [...burst(0, 20), refused(3_001)])).toMatchObject({ observed: 19 });
    // Wherever the ticks lie, one has come by then.
    expect(judge('interval-refill', [...burst(0, 20), refused(2_999)])).toBeUndefined();
    expect(judge('interval-refill', [...burst(0, 20), refused(3_001)])).toMatchObject({ observed: 19, needed: 20 });
  });

  it('is explained by any other refusal in the last window where refusals block or count', () => {
    const blocked = [...burst(0, 20), refused(30_000), refused(89_000)];
    expect(judge('fixed-window-penalty', blocked)).toBeUndefined();
    expect(judge('fixed-window-anchored', blocked)).toMatchObject({ refusal: 21 });
    const steady = [...burst(0, 20), ...Array.from({ length: 60 }, (_, i) => refused(i * 2_000 + 1_000))];
    expect(judge('sliding-log-counting-refused', steady)).toBeUndefined();
    expect(judge('sliding-log', steady)).toBeDefined();
  });
});

describe('inconsistent', () => {
  it('a fixed window that begins where it was refused', () => {
    // Boundaries in [0, 100] and in [50, 90] of the circle; but the window that refused at 50 000 had not begun after 0.
    const history = [...burst(0, 11), ...burst(100, 10), ...burst(60_050, 10), ...burst(60_090, 11)];
    expect(judge('fixed-window', history)).toBeUndefined();
    expect(judge('fixed-window', [...history, refused(50_000)])).toMatchObject({
      because: 'inconsistent',
      arcs: [
        { says: 'boundary-within', fromUs: 60_050, toUs: 60_090 },
        { says: 'no-boundary-within', toUs: 50_000 },
      ],
    });
    const ambiguous = { from: 50_000, to: 50_000, part: Part.ambiguous };
    expect(judge('fixed-window', [...history, ambiguous])).toBeUndefined();
  });
});
