import type { OverAdmissionDraft } from '../certificates/draft.ts';
import { admittedOf } from '../engines/admitted.ts';
import { mostAtOnce, type Spans } from '../engines/counted.ts';
import { crowdProof, type DensityRule } from '../engines/density.ts';
import { judgedRefusals } from '../engines/last-window.ts';
import type { Bounds } from '../evidence/bounds.ts';
import { chargedOf } from './fullest.ts';
import type { DaySlice } from './message-slice.ts';

/** In longer histories, spans of at most this many days are examined. */
const MOST_DAYS = 366;

/**
 * More messages than days of at least `shortUs` can hold, wherever these begin: Q for each day that may begin within the span,
 * and `before` for a day that began earlier.
 */
export function overfullSpan(
  slice: DaySlice,
  max: number,
  shortUs: number,
  before: number,
): OverAdmissionDraft | undefined {
  if (shortUs <= 0) return undefined;
  const rule: DensityRule = {
    rule: 'daily-distinct-messages',
    most: (spanUs) => max * (Math.floor(spanUs / shortUs) + 1) + before,
  };
  const { size, from, to } = admittedOf(slice);
  const longest = size === 0 ? 0 : (to[size - 1] as number) - (from[0] as number);
  const days = Math.min(MOST_DAYS, Math.floor(Math.max(0, longest) / shortUs) + 1);
  for (let day = 1; day <= days && size > max * day + before; day++) {
    const proof = crowdProof(slice, max * day + before + 1, shortUs * day, rule);
    if (proof) return proof;
  }
  return undefined;
}

/** Messages that may have been charged; each counts for `lookBackUs` afterwards. */
export const chargedFor = ({ starts, ends }: Spans, lookBackUs: number): Spans => ({
  starts,
  ends: ends.map((end) => end + lookBackUs),
});

/** Refusals before which fewer than Q can have been charged within `lookBackUs`. */
export function unexplainedByLast(slice: DaySlice, bounds: Bounds, lookBackUs: number): number[] {
  const held = chargedFor(chargedOf(slice), lookBackUs);
  const mostBefore = (position: number) =>
    mostAtOnce(held, { from: slice.from[position] as number, to: slice.to[position] as number }, bounds.max);
  return [...judgedRefusals(slice, bounds)].filter((position) => mostBefore(position) < bounds.max);
}
