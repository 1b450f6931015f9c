import type { OverAdmissionDraft, WrongfulRefusalDraft } from '../certificates/draft.ts';
import { admittedOf } from '../engines/admitted.ts';
import { judgedRefusals } from '../engines/last-window.ts';
import { bestWindow, chainFrom, tooManyInOne } from '../engines/windows.ts';
import type { Bounds } from '../evidence/bounds.ts';
import { rememberedFor } from '../evidence/remembered.ts';
import { Part } from '../evidence/slice.ts';
import { chargedOf, chargedWithin } from './fullest.ts';
import type { DaySlice } from './message-slice.ts';

/**
 * Days that begin with a message, one after another, if nothing was charged before the run and the bucket is completely known.
 * Valid for exactly this bucket: in a wider or narrower one days begin with other messages.
 */

const chainOf = rememberedFor((slice: DaySlice, bounds: Bounds) => {
  const { refusals, shortUs } = bounds;
  const isKnown = slice.whole === true && refusals.provable && refusals.flushed && shortUs > 0;
  return isKnown ? chainFrom(slice.tries, admittedOf(slice), bounds) : undefined;
});

/** Q + 1 messages that were certainly charged to one day. */
export function overfullDay(slice: DaySlice, bounds: Bounds): OverAdmissionDraft | undefined {
  const chain = chainOf(slice, bounds);
  const positions = chain && tooManyInOne(chain, admittedOf(slice), bounds);
  if (!positions) return undefined;
  const [observed, possible] = [positions.length, bounds.max];
  return { rule: 'first-use-day-chain', because: 'over-admission', observed, possible, positions };
}

/** The first refusal by the quota that no day can have caused. */
export function refusedOnItsDay(slice: DaySlice, bounds: Bounds): WrongfulRefusalDraft | undefined {
  const chain = chainOf(slice, bounds);
  if (!chain) return undefined;
  const charged = chargedOf(slice);
  for (const refusal of judgedRefusals(slice, bounds)) {
    if (slice.part[refusal] !== Part.refused) continue;
    const [from, to] = [slice.from[refusal] as number, slice.to[refusal] as number];
    const day = bestWindow(chain, charged, { from, to, itself: 0 }, bounds.longUs);
    const observed = day?.counted ?? 0;
    if (observed >= bounds.max) continue;
    const sinceUs = day?.sinceUs ?? from;
    return {
      rule: 'wrongful-refusal-first-use-day',
      because: 'wrongful-refusal',
      refusal,
      lookBackUs: Math.max(0, from - sinceUs),
      observed,
      needed: bounds.max,
      positions: chargedWithin(slice, sinceUs, to),
    };
  }
  return undefined;
}
