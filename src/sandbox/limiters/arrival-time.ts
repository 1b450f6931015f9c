import type { Micros } from '../../base/index.ts';
import { plus, type Quota, roundedUp, spacingOf, wholePart } from './windows.ts';

/** An exact theoretical arrival time (TAT): `whole` microseconds plus `parts` of 1/perMicro µs, 0 ≤ parts < perMicro. */
export type ArrivalTime = { readonly whole: Micros; readonly parts: number };

/**
 * The arithmetic of the generic cell rate algorithm (ITU-T I.371; ATM Forum, Traffic Management 4.0): with T = W/N and
 * τ = (burst − 1)·T, a request at t conforms iff t ≥ TAT − τ, and then TAT := max(t, TAT) + T.
 */
export function arrivalTimes(settings: Quota & { readonly burst?: number }) {
  const { tick, perMicro } = spacingOf(settings);
  const tolerance = ((settings.burst ?? settings.max) - 1) * tick;
  /** How far the TAT lies ahead of `now`, in parts of 1/perMicro µs; 0 when it has passed. */
  const ahead = (tat: ArrivalTime | undefined, now: Micros) =>
    tat === undefined || tat.whole < now ? 0 : (tat.whole - now) * perMicro + tat.parts;

  return {
    /** When a request at `now` conforms without tolerance: `now` or the TAT, whichever is later, rounded up. */
    dueAt: (tat: ArrivalTime | undefined, now: Micros) => plus(now, roundedUp(ahead(tat, now), perMicro)),
    /** The first instant from `now` on at which `units` simultaneous requests conform. */
    conformsAt(tat: ArrivalTime | undefined, now: Micros, units = 1): Micros {
      const excess = ahead(tat, now) + (units - 1) * tick - tolerance;
      return excess <= 0 ? now : plus(now, roundedUp(excess, perMicro));
    },
    /** How many simultaneous requests conform at `now`. */
    conforming(tat: ArrivalTime | undefined, now: Micros): number {
      const spare = tolerance - ahead(tat, now);
      return spare < 0 ? 0 : wholePart(spare, tick) + 1;
    },
    advance(tat: ArrivalTime | undefined, now: Micros): ArrivalTime {
      const from = ahead(tat, now) === 0 ? { whole: now, parts: 0 } : (tat ?? { whole: now, parts: 0 });
      const parts = from.parts + tick;
      return { whole: plus(from.whole, wholePart(parts, perMicro)), parts: parts % perMicro };
    },
    /** From when on a TAT lies in the past and can be forgotten. */
    passedAt: ({ whole, parts }: ArrivalTime): Micros => plus(whole, parts > 0 ? 1 : 0),
  };
}
