import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../testing/share.ts';
import { type Bounds, FLUSHED } from '../bounds.ts';
import { DAY_US, HOUR_US } from '../days/calendar.ts';
import type { DaySlice } from '../days/message-slice.ts';
import { Part } from '../slice.ts';
import type { Cores, TurnSlice } from '../slots/turn-slice.ts';
import { acceptedToFinished } from './concurrency.ts';
import { utcDay } from './day-calendar.ts';
import { firstUseDay, rollingDay } from './day-rolling.ts';
import { daySliceOf } from './sample-attempts.exam.ts';

/*
 * On histories small enough, an exhaustive search over the instants at which the service may have decided says what can be.
 * What it calls impossible may be refuted, and nothing else.
 */

const RUNS = { numRuns: runs(2_000) };

function bounds(max: number, windowUs: number): Bounds {
  return {
    max,
    windowUs,
    shortUs: windowUs,
    longUs: windowUs,
    drift: 0,
    slackUs: 0,
    wasSet: false,
    originUs: 0,
    phaseUncertaintyUs: 0,
    refusals: FLUSHED,
  };
}

/** All ways to choose one value of each list, as long as `accepts` does not refuse the beginning of one. */
function possible<T>(
  lists: readonly (readonly T[])[],
  accepts: (chosen: readonly T[]) => boolean,
  chosen: T[] = [],
): boolean {
  if (!accepts(chosen)) return false;
  const next = lists[chosen.length];
  if (next === undefined) return true;
  return next.some((value) => possible(lists, accepts, [...chosen, value]));
}

interface SampleTurn {
  readonly from: number;
  readonly to: number;
  /** Seen open at; absent: never. */
  readonly seen?: number;
}

const noCores: Cores = { size: 0, from: new Float64Array(), to: new Float64Array(), proof: [] };

function turnSlice(
  turns: readonly SampleTurn[],
  untils: readonly number[] = [],
  refusal?: [number, number],
): TurnSlice {
  const sorted = [...turns].sort((a, b) => a.from - b.from);
  const cores = sorted
    .flatMap(({ to, seen }, i) => (seen !== undefined && seen > to ? [{ from: to, to: seen, proof: [i] }] : []))
    .sort((a, b) => a.from - b.from);
  const rows = refusal ? [...sorted, { from: refusal[0], to: refusal[1] }] : sorted;
  const froms = Float64Array.from(rows, ({ from }) => from);
  return {
    size: rows.length,
    from: froms,
    to: Float64Array.from(rows, ({ to }) => to),
    part: Uint8Array.from(rows, (_, i) => (i < sorted.length ? Part.admitted : Part.refused)),
    row: Uint32Array.from(rows.keys()),
    until: Float64Array.from(rows, (_, i) => (i < sorted.length ? (untils[i] ?? Infinity) : -Infinity)),
    workFrom: froms,
    open: {
      size: cores.length,
      from: Float64Array.from(cores, ({ from }) => from),
      to: Float64Array.from(cores, ({ to }) => to),
      proof: cores.map(({ proof }) => proof),
    },
    working: noCores,
    scope: {},
  };
}

const halves = (from: number, to: number) => Array.from({ length: 2 * (to - from) + 1 }, (_, i) => from + i / 2);

/** Whether instants of acceptance exist with no more than `max` slots taken. A turn holds from acceptance until last seen open. */
function canBeKept(turns: readonly SampleTurn[], max: number): boolean {
  const end = (turn: SampleTurn, at: number) => Math.max(at, turn.seen ?? at);
  const kept = (chosen: readonly number[]) => {
    if (chosen.length < turns.length) return true;
    const held = chosen.map((at, i) => ({ from: at, to: end(turns[i] as SampleTurn, at) }));
    // Where one ends as another begins, the order is the service's to choose.
    const over = (t: number) => held.filter(({ from, to }) => from < t && t < to).length;
    const instants = held.flatMap(({ from, to }) => [from + 0.25, to - 0.25]);
    const taken = held.every(({ from, to }) => to > from || over(from) < max);
    return taken && instants.every((t) => over(t) <= max);
  };
  return possible(
    turns.map(({ from, to }) => halves(from, to)),
    kept,
  );
}

const sampleTurn = fc
  .record({ from: fc.nat(8), width: fc.nat(3), seen: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }) })
  .map(({ from, width, seen }) => ({
    from,
    to: from + width,
    ...(seen !== undefined && { seen: from + width + seen }),
  }));

describe('slots from acceptance to finish', () => {
  it('are refuted by what was accepted exactly when no instants of acceptance keep the limit', () => {
    let refuted = 0;
    fc.assert(
      fc.property(
        fc.array(sampleTurn, { minLength: 2, maxLength: 5 }),
        fc.integer({ min: 1, max: 2 }),
        (turns, max) => {
          const draft = acceptedToFinished.overAdmission(turnSlice(turns), bounds(max, 0));
          if (draft) refuted += 1;
          expect(draft === undefined).toBe(canBeKept(turns, max));
        },
      ),
      RUNS,
    );
    expect(refuted).toBeGreaterThan(runs(100) / 2);
  });

  it('do not explain a refusal exactly when at no instant of it enough turns may have held one', () => {
    const held = fc.record({ from: fc.nat(8), width: fc.nat(3), until: fc.option(fc.nat(6), { nil: undefined }) });
    let refuted = 0;
    fc.assert(
      fc.property(
        fc.array(held, { maxLength: 5 }),
        fc.tuple(fc.nat(14), fc.nat(4)),
        fc.integer({ min: 1, max: 3 }),
        (holders, [at, width], max) => {
          const sorted = [...holders].sort((a, b) => a.from - b.from);
          const turns = sorted.map(({ from, width: w }) => ({ from, to: from + w }));
          const untils = sorted.map(({ from, width: w, until }) => (until === undefined ? Infinity : from + w + until));
          const slice = turnSlice(turns, untils, [at, at + width]);
          const most = Math.max(
            ...halves(at, at + width).map(
              (t) => turns.filter(({ from }, i) => from <= t && (untils[i] as number) >= t).length,
            ),
          );
          const unexplained = [...acceptedToFinished.unexplained(slice, bounds(max, 0))];
          if (unexplained.length > 0) refuted += 1;
          expect(unexplained).toEqual(most < max ? [turns.length] : []);
          if (most < max)
            expect(acceptedToFinished.wrongfulRefusal(slice, bounds(max, 0), turns.length)).toMatchObject({
              observed: most,
            });
        },
      ),
      RUNS,
    );
    expect(refuted).toBeGreaterThan(runs(100) / 2);
  });
});

interface Charge {
  readonly from: number;
  readonly to: number;
  /** Default: admitted. */
  readonly part?: Part;
}

function daySlice(charges: readonly Charge[], refusal?: Charge): DaySlice {
  const inHours = ({ from, to, part = Part.admitted }: Charge) => ({ from: from * HOUR_US, to: to * HOUR_US, part });
  const all = [...charges, ...(refusal ? [{ ...refusal, part: Part.refused }] : [])].map(inHours);
  return { ...daySliceOf(all), firstSentUs: Math.min(...all.map(({ from }) => from)) };
}

/** Hours, some way into days of 24, with ends off the hour so that no two coincide with a midnight. */
const charge = fc
  .record({ from: fc.integer({ min: 1, max: 70 }), width: fc.constantFrom(0, 0, 1, 3, 8, 20) })
  .map(({ from, width }) => ({ from: from + 0.25, to: from + 0.25 + width }));
const charges = fc.array(charge, { minLength: 2, maxLength: 6 });
const few = fc.array(
  charge.map(({ from, to }) => ({ from, to: Math.min(to, from + 4) })),
  { minLength: 2, maxLength: 5 },
);
const withDoubts = fc.array(
  fc
    .tuple(charge, fc.constantFrom(Part.admitted, Part.admitted, Part.maybe))
    .map(([{ from, to }, part]) => ({ from, to: Math.min(to, from + 2), part })),
  { minLength: 1, maxLength: 4 },
);
const hours = ({ from, to }: Charge) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const dayOf = (hour: number) => Math.floor(hour / 24);

const dayBounds = (max: number) => bounds(max, DAY_US);
const quota = fc.integer({ min: 1, max: 2 });

describe('days', () => {
  it('from 00:00 UTC are refuted exactly when no instants of charging leave room on each', () => {
    let refuted = 0;
    fc.assert(
      fc.property(charges, quota, (all, max) => {
        const room = (chosen: readonly number[]) =>
          chosen.every((hour) => chosen.filter((other) => dayOf(other) === dayOf(hour)).length <= max);
        const draft = utcDay.overAdmission(daySlice(all), dayBounds(max));
        if (draft) refuted += 1;
        expect(draft === undefined).toBe(possible(all.map(hours), room));
      }),
      RUNS,
    );
    expect(refuted).toBeGreaterThan(runs(100) / 2);
  });

  it('from 00:00 UTC do not explain a refusal exactly when on no day of it enough may have been charged before', () => {
    fc.assert(
      fc.property(charges, charge, quota, (all, refusal, max) => {
        const slice = daySlice(all, refusal);
        const most = Math.max(
          ...hours(refusal).map(
            (t) => all.filter((one) => hours(one).some((hour) => hour <= t && dayOf(hour) === dayOf(t))).length,
          ),
        );
        const unexplained = [...utcDay.unexplained(slice, dayBounds(max))];
        expect(unexplained.length).toBe(most < max ? 1 : 0);
      }),
      RUNS,
    );
  });

  it('of any 24 hours are refuted only when no instants of charging leave room, and mostly then', () => {
    const room = (max: number) => (chosen: readonly number[]) =>
      chosen.every((hour) => chosen.filter((other) => other > hour - 24 && other <= hour).length <= max);
    const [impossible, refuted] = compared(charges, (all, max) => ({
      draft: rollingDay.overAdmission(daySlice(all), dayBounds(max)),
      possible: possible(all.map(hours), room(max)),
    }));
    expect(refuted).toBeGreaterThan(0.8 * impossible);
  });

  it('from first use are refuted only when no instants of charging leave room, and mostly then', () => {
    const room = (max: number) => (chosen: readonly number[]) => {
      let begun = Number.NEGATIVE_INFINITY;
      let count = 0;
      return [...chosen]
        .sort((a, b) => a - b)
        .every((hour) => {
          if (hour >= begun + 24) [begun, count] = [hour, 0];
          count += 1;
          return count <= max;
        });
    };
    const [impossible, refuted] = compared(few, (all, max) => ({
      draft: refutedFirstUse(daySlice(all), dayBounds(max)),
      possible: possible(all.map(hours), (chosen) => chosen.length < all.length || room(max)(chosen)),
    }));
    expect(refuted).toBeGreaterThan(0.9 * impossible);
  });

  it('from first use are refuted by a refusal only when no instants explain it, whatever came of messages that may not count', () => {
    let refuted = 0;
    let impossible = 0;
    fc.assert(
      fc.property(withDoubts, fc.nat({ max: 60 }), quota, (all, at, max) => {
        const refusal = { from: at + 0.25, to: at + 1.25 };
        const draft = refutedFirstUse(daySlice(all, refusal), dayBounds(max));
        const can = possible<Fate>([...all.map(fates), hours(refusal)], (chosen) => refuses(chosen, all.length, max));
        if (!can) impossible += 1;
        if (draft !== undefined) refuted += 1;
        expect(draft !== undefined && can).toBe(false);
      }),
      RUNS,
    );
    expect(impossible).toBeGreaterThan(runs(100) / 2);
    expect(refuted).toBeGreaterThan(0.9 * impossible);
  });
});

const refutedFirstUse = (slice: DaySlice, about: Bounds) =>
  firstUseDay.overAdmission(slice, about) ??
  [...firstUseDay.unexplained(slice, about)][0] ??
  firstUseDay.inconsistent?.(slice, about);

/** When a message was charged; `undefined`: never. */
type Fate = number | undefined;

const fates = (one: Charge): Fate[] => [...(one.part === Part.maybe ? [undefined] : []), ...hours(one)];

/** Whether a service of days that begin with a message does all this; the last is when it refused. */
function refuses(chosen: readonly Fate[], messages: number, max: number): boolean {
  if (chosen.length <= messages) return true;
  const refusedAt = chosen[messages] as number;
  let [begun, count, isExplained] = [Number.NEGATIVE_INFINITY, 0, false];
  const sent = chosen.slice(0, messages).filter((fate) => fate !== undefined);
  for (const hour of sent.sort((a, b) => a - b)) {
    if (hour >= begun + 24) [begun, count] = [hour, 0];
    count += 1;
    if (count > max) return false;
    if (hour <= refusedAt) isExplained = refusedAt < begun + 24 && count === max;
  }
  return isExplained;
}

/** @returns how many histories are impossible, and how many of them were refuted; none that is possible was */
function compared(
  histories: fc.Arbitrary<Charge[]>,
  judge: (all: readonly Charge[], max: number) => { readonly draft: unknown; readonly possible: boolean },
): [number, number] {
  let impossible = 0;
  let refuted = 0;
  fc.assert(
    fc.property(histories, quota, (all, max) => {
      const { draft, possible: can } = judge(all, max);
      if (!can) impossible += 1;
      if (draft !== undefined) refuted += 1;
      expect(draft !== undefined && can).toBe(false);
    }),
    RUNS,
  );
  expect(impossible).toBeGreaterThan(runs(100) / 2);
  return [impossible, refuted];
}
