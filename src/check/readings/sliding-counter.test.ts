import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../base/index.ts';
import { runs } from '../../testing/share.ts';
import type { Arcs } from '../certificates/certificate.ts';
import type { ArcsDraft } from '../certificates/draft.ts';
import { counterConflict } from '../engines/counter-arcs.ts';
import { lastBoundary } from '../engines/counter-overfull.ts';
import { Part, type Slice } from '../evidence/slice.ts';
import { holdsArcs, type RawArc } from '../verify/rate/arcs.ts';
import { type Honest, honestLimiters, honestSlidingCounter, type MakeHonest } from './honest-limiters.exam.ts';
import { honestHistory, refute } from './reading.exam.ts';
import { type Attempt, admitted, boundsFor, maybe, refused, sliceOf } from './sample-attempts.exam.ts';
import { slidingCounter } from './sliding-counter.ts';

const MINUTE = 60_000;
const N20 = boundsFor(20, MINUTE);
/** A clock that may be off by 500 ppm. */
const drifting = boundsFor(20, MINUTE, {
  shortUs: MINUTE * 0.9995,
  longUs: MINUTE / 0.9995,
  drift: 0.0005,
});
const burst = (at: number, count: number, make: (at: number) => Attempt = admitted) =>
  Array.from({ length: count }, () => make(at));
const judge = (attempts: readonly Attempt[], bounds = N20) => refute(slidingCounter, sliceOf(attempts), bounds);

/** What a limiter makes of bursts: [instant, how many], each attempt 2 units under way. */
function probed(make: MakeHonest, phase: number, bursts: readonly (readonly [number, number])[]): Attempt[] {
  const limiter = make(20, MINUTE, phase);
  return bursts.flatMap(([at, count]) =>
    Array.from({ length: count }, (_, i) => {
      const sent = at + 2 * i;
      return { from: sent, to: sent + 2, part: limiter.decide(sent + 1) ? Part.admitted : Part.refused };
    }),
  );
}

/** The probe of limits.md section 1.4 that tells all algorithms apart, once more at another place in the minute. */
const once = [
  [0, 5],
  [57_000, 20],
  [63_100, 11],
  [121_000, 10],
] as const;
/** With a read in between: a counter that nobody uses for a window may begin anew, and nothing is held against it then. */
const twice = [...once, [160_000, 1] as const, ...once.map(([at, count]) => [at + 215_000, count] as const)];
const phases = Array.from({ length: 20 }, (_, i) => 3_000 * i + 500);

describe('the universal probe at two places in the minute', () => {
  const counters = Object.keys(honestLimiters).filter((name) => name.startsWith('sliding counter'));
  // A fixed window is told from a counter by what it admits around its boundary, if that lies there; limiters for which refusals
  // count, or which block for them, from one that counts before it compares, not at all.
  const alike = ['fixed window', 'sliding log counting refused', 'penalty'];
  const others = Object.keys(honestLimiters).filter((name) => !counters.includes(name) && !alike.includes(name));
  it.each(others)('shows that a %s is no sliding counter, wherever windows begin', (name) => {
    const { make } = honestLimiters[name] as (typeof honestLimiters)[string];
    const missed = phases.filter((phase) => !judge(probed(make, phase, twice), drifting));
    expect(missed).toEqual([]);
  });

  it.each(counters)('never says so of a %s', (name) => {
    const { make } = honestLimiters[name] as (typeof honestLimiters)[string];
    expect(phases.filter((phase) => judge(probed(make, phase, twice), drifting))).toEqual([]);
  });

  it('is explained by the tolerance of one: a counter of 19, or of 21, is not told from one of 20', () => {
    const counter = honestSlidingCounter((share) => share, 0);
    const of = (count: number) => probed((_, windowUs, phase) => counter(count, windowUs, phase), 500, twice);
    expect([19, 20, 21].map((count) => judge(of(count), drifting))).toEqual([undefined, undefined, undefined]);
    expect(judge(of(9), drifting)).toMatchObject({ because: 'wrongful-refusal' });
    expect(judge(of(24), drifting)).toMatchObject({ because: 'over-admission' });
    const arcs = counterConflict(sliceOf(of(24)), drifting, false);
    expect(arcs).toMatchObject({ rule: 'sliding-counter-arcs', because: 'over-admission' });
  });

  it('says nothing by these arcs of a counter that counts what it refuses, as those do that count before they compare', () => {
    const countsFirst: MakeHonest = (max, windowUs, phaseUs) => {
      const make = (counts: ReadonlyMap<number, number>): Honest => {
        const inWindow = new Map(counts);
        return {
          decide(now) {
            const window = Math.floor((now - phaseUs) / windowUs);
            const passed = (now - phaseUs) / windowUs - window;
            const present = inWindow.get(window) ?? 0;
            inWindow.set(window, present + 1);
            return (inWindow.get(window - 1) ?? 0) * (1 - passed) + present < max;
          },
          copy: () => make(inWindow),
        };
      };
      return make(new Map());
    };
    expect(
      phases.filter((phase) => counterConflict(sliceOf(probed(countsFirst, phase, twice)), drifting, true)),
    ).toEqual([]);
    const accused = Array.from({ length: 500 }, (_, seed) => honestHistory(countsFirst, seed, 'counts first')).filter(
      ({ slice, bounds }) => counterConflict(slice, bounds, true),
    );
    expect(accused).toEqual([]);
  });
});

it('rules out nothing that the verifier does not rule out, wherever bursts, ticks and rounding meet', () => {
  const others = Object.values(honestLimiters).slice(0, 9);
  let ruledOut = 0;
  for (let seed = 0; seed < 2_000; seed++) {
    const random = seededRandom(seed, 'ruled out');
    const pick = <T>(values: readonly T[]): T => values[random.integer(values.length)] as T;
    const [max, window, drift] = [pick([1, 2, 3, 5, 8]), pick([60, 100, 60_000_000]), pick([0, 0.0005])];
    const slackUs = pick([0, window / 60]);
    const terms = { shortUs: window * (1 - drift) - slackUs, longUs: window / (1 - drift) + slackUs, slackUs };
    const limiter = pick(others).make(max, window, random.integer(window));
    let at = 0;
    const attempts = Array.from({ length: 20 + random.integer(60) }, (): Attempt => {
      at += Math.round((pick([0, 0, 1, 1, 2, 3]) * window) / pick([7, 20, 60]));
      return { from: at, to: at, part: limiter.decide(at) ? Part.admitted : Part.refused };
    });
    const slice = sliceOf(attempts);
    const draft = counterConflict(slice, boundsFor(max, window, { ...terms, drift }), true);
    if (!draft) continue;
    ruledOut += 1;
    const slackAt = (t: number) => Math.abs(t) * drift + slackUs;
    const arcs = draft.arcs.map((arc) => rawOf(arc, slice));
    const certificate = { rule: draft.rule } as Arcs;
    expect(holdsArcs(certificate, arcs, { ...terms, max, windowUs: window, slackAt }), `${seed}`).toBe(true);
  }
  expect(ruledOut).toBeGreaterThan(80);
});

/** An arc as the verifier reads it from the records. */
function rawOf({ fromUs, toUs, positions, refusal }: ArcsDraft['arcs'][number], slice: Slice): RawArc {
  const decided = (i: number) => ({ from: slice.from[i] as number, to: slice.to[i] as number });
  const arc = { says: 'counter', from: fromUs, to: toUs } as const;
  if (refusal === undefined) return { ...arc, decided: positions.map(decided) };
  const { size, from, to, part } = slice;
  const rivals = {
    ...{ size, from, to },
    refused: part.map((one) => (one === Part.refused ? 1 : 0)),
    admitted: part.map((one) => (one === Part.admitted ? 1 : 0)),
    indexOf: (row: number) => row,
    attemptAt: (index: number) => index,
  };
  return { ...arc, refusal: { ...decided(refusal), index: refusal }, rivals };
}

it('looks for the last boundary before an instant, however the division is rounded', () => {
  const phases = fc.double({ min: 0, max: 60, noNaN: true, maxExcluded: true });
  fc.assert(
    fc.property(phases, fc.integer({ min: -20, max: 20_000 }), (phase, windows) => {
      const at = phase + 60 * windows;
      const passed = at - lastBoundary(at, phase, 60);
      expect(passed < 60 || lastBoundary(at, phase, 60) + 60 > at).toBe(true);
    }),
    { numRuns: runs(2_000), seed: 8 },
  );
  expect(lastBoundary(531.5492651867746, 51.549265186774676, 60)).toBeGreaterThan(531.5);
});

describe('beginnings of windows that a sliding counter cannot have', () => {
  const arcsOf = (attempts: readonly Attempt[], bounds = N20): ArcsDraft['arcs'] => {
    const draft = judge(attempts, bounds);
    expect(draft).toMatchObject({ rule: 'sliding-counter-arcs' });
    return (draft as ArcsDraft).arcs;
  };

  /** So that there is no pause of a window: too early to weigh in where it matters. */
  const kept = [admitted(103_000), admitted(255_000), admitted(290_000)];

  it('are those with which too many were admitted: N + 2 with the weight of the window before', () => {
    // With a boundary b between the two, 20 (1 − (40 000 − b) / 60 000) + 14 ≥ 22 from b = 4 000 on; with none, 34 are in one window.
    const spaced = (at: number) => [...burst(at, 20), ...burst(at + 40_000, 14)];
    expect(judge(spaced(0))).toBeUndefined();
    const all = [...spaced(0), ...spaced(150_000), ...spaced(310_000)];
    // After a pause of a window a counter may begin anew.
    expect(judge(all)).toBeUndefined();
    const between = [95_000, 230_000, 270_000];
    const arcs = arcsOf([...all, ...between.map((at) => admitted(at))]);
    expect(arcs.every(({ says }) => says === 'overfull-with-boundary-within')).toBe(true);
    // What may never have reached it keeps no counter from beginning anew, nor does what may have been decided beside the others.
    expect(judge([...all, ...between.map((at) => maybe(at))])).toBeUndefined();
    expect(judge([...all, ...between.map((at) => admitted(at, at + 40_000))])).toBeUndefined();
  });

  it('are those with which a refusal had too little before it', () => {
    // Refused at 50 000 after 10 at 0: whatever the boundary, no more than 10 weigh.
    expect(judge([...burst(0, 10), refused(50_000)])).toMatchObject({ rule: 'wrongful-refusal-sliding-counter' });
    // After 20 at 0 it takes a boundary at or before 0, or at 47 000 and later: 20 (1 − (50 000 − b) / 60 000) ≥ 19 from 47 000 on.
    const late = [...burst(0, 20), refused(50_000)];
    expect(judge(late)).toBeUndefined();
    const again = (at: number) => late.map(({ from, part }): Attempt => ({ from: from + at, to: from + at, part }));
    const all = [...again(0), ...again(160_000), ...again(330_000)];
    expect(judge(all)).toBeUndefined();
    const arcs = arcsOf([...all, ...kept]);
    expect(arcs.map(({ says }) => says)).toEqual(arcs.map(() => 'no-boundary-within'));
    // Round the circle: (0, 47 000), (40 000, 87 000), (30 000, 77 000).
    const rounded = arcs.map(({ fromUs, toUs }) => [fromUs, Math.round(toUs)]);
    for (const arc of rounded)
      expect([
        [0, 46_999],
        [160_000, 206_999],
        [330_000, 376_999],
      ]).toContainEqual(arc);
  });

  it('are not ruled out by refusals where what may have counted is not known', () => {
    const late = (at: number) => [...burst(at, 20), refused(at + 50_000)];
    const all = [...late(0), ...late(160_000), ...late(330_000), ...kept];
    expect(judge(all)).toMatchObject({ because: 'wrongful-refusal' });
    expect(judge(all, boundsFor(20, MINUTE, { refusals: { provable: false, missing: ['all'] } }))).toBeUndefined();
    // With k that may have come at any time, k + 20 (1 − (50 000 − b) / 60 000) is 19 from b = 47 000 − 3 000 k on; and the first
    // two of the arcs are 30 000 apart.
    const anyTime = Array.from({ length: 6 }, () => maybe(1, 1e6));
    expect(judge([...all, ...anyTime])).toBeUndefined();
    expect(judge([...all, ...anyTime.slice(1)])).toMatchObject({ because: 'wrongful-refusal' });
  });
});

// Slow answers: for each beginning of the windows, some requests may have been decided in either of two.
it.each([24, 25, 26, 27])(
  '%i within less than fits, each decided at some time within a second, are too many',
  (count) => {
    const slow = Array.from({ length: count }, (_, i) => admitted(200 * i, 200 * i + 1_000));
    expect(judge(slow)).toMatchObject({ rule: 'sliding-counter-density' });
  },
);

it('so are twice as many as the limit, if the limit is small', () => {
  const six = Array.from({ length: 6 }, (_, i) => admitted(4_000 * i, 4_000 * i + 15));
  expect(judge(six, boundsFor(3, MINUTE))).toBeUndefined();
  const sooner = Array.from({ length: 6 }, (_, i) => admitted(200 * i, 200 * i + 15_000));
  expect(judge(sooner, boundsFor(3, MINUTE))).toMatchObject({ rule: 'sliding-counter-density', observed: 6 });
});

it('nodes whose clocks differ may admit N for the window before, and N for the next, which does not know of those yet', () => {
  // One node admits twenty at the end of a minute, another one, a second ahead, twenty at the beginning of the next.
  const nodes = boundsFor(20, MINUTE, { shortUs: MINUTE - 1_000, longUs: MINUTE + 1_000, slackUs: 1_000 });
  const at = (count: number, when: number) => Array.from({ length: count }, () => admitted(when));
  expect(judge(at(40, 0), nodes)).toBeUndefined();
  expect(judge([...at(20, 0), ...at(20, 999)], nodes)).toBeUndefined();
  // No window holds 22; so some of these belong to the next one, as do all that come later than clocks differ.
  expect(judge([...at(22, 0), ...at(4, 999)], nodes)).toBeUndefined();
  expect(judge([...at(22, 0), ...at(4, 1_000)], nodes)).toMatchObject({
    rule: 'sliding-counter-density',
    observed: 23,
  });
  expect(judge([...at(21, 0), ...at(4, 1_000)], nodes)).toBeUndefined();
});

it('what nodes may confuse is asked of the requests that a proof names, not of all that led to it', () => {
  const nodes = boundsFor(5, 10_000, { shortUs: 10_000, longUs: 10_000, slackUs: 400 });
  const at = (count: number, when: number) => Array.from({ length: count }, () => admitted(when));
  // Nine are too many, seven of them early enough; but eight are, too, and of those only six are.
  const crowd = [...at(1, 0), ...at(6, 1_100), ...at(2, 1_700)];
  expect(judge(crowd, nodes)).toBeUndefined();
  expect(judge(crowd, { ...nodes, slackUs: 0 })).toMatchObject({ rule: 'sliding-counter-density', observed: 8 });
});

it('of many requests, too, only those are named that the proof needs', () => {
  const slow = Array.from({ length: 27 }, (_, i) => admitted(200 * i, 200 * i + 1_000));
  expect(judge(slow)).toMatchObject({ observed: 24, possible: 23 });
});

it('of a limit that nobody reaches, no crowds are looked for', () => {
  expect(judge([refused(0)], boundsFor(1e9, MINUTE))).toMatchObject({ because: 'wrongful-refusal', observed: 0 });
});
