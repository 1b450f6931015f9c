import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../testing/share.ts';
import { DAY_US, HOUR_US } from '../days/calendar.ts';
import type { DaySlice } from '../days/message-slice.ts';
import type { Bounds } from '../evidence/bounds.ts';
import { Part } from '../evidence/slice.ts';
import { timezoneDay, utcDay } from './day-calendar.ts';
import { firstUseDay, rollingDay } from './day-rolling.ts';
import { bounds, possible, RUNS } from './exhaustive.exam.ts';
import { daySliceOf } from './sample-attempts.exam.ts';

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
/** In the order of arrival. */
const crowds = fc
  .array(charge, { minLength: 2, maxLength: 8 })
  .map((all) => all.sort((a, b) => a.from - b.from || a.to - b.to));
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

  it.each([utcDay, timezoneDay])('$name: are refuted by the named messages alone, and by none fewer', (day) => {
    let chosen = 0;
    fc.assert(
      fc.property(crowds, quota, (all, max) => {
        const judge = (some: readonly Charge[]) => day.overAdmission(daySlice(some), dayBounds(max));
        const draft = judge(all);
        if (!draft || !('positions' in draft)) return;
        const members = draft.positions.map((position) => all[position] as Charge);
        if (members.length < all.length) chosen += 1;
        expect(judge(members)?.because).toBe('over-admission');
        for (const one of members) expect(judge(members.filter((other) => other !== one))).toBeUndefined();
      }),
      RUNS,
    );
    expect(chosen).toBeGreaterThan(runs(100) / 2);
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
