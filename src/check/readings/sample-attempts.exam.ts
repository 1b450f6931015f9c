import type { DaySlice } from '../days/message-slice.ts';
import { countedOf } from '../engines/counted.ts';
import { type Bounds, FLUSHED } from '../evidence/bounds.ts';
import { Part, type Slice } from '../evidence/slice.ts';

/** Attempts and bounds in the form in which tests write them. */

export interface Attempt {
  readonly from: number;
  readonly to: number;
  readonly part: Part;
}

/** Sorts attempts by `from`, like evidence. */
export function sliceOf(attempts: readonly Attempt[]): Slice {
  const sorted = attempts.map((attempt, row) => ({ ...attempt, row })).sort((a, b) => a.from - b.from || a.row - b.row);
  return {
    size: sorted.length,
    from: Float64Array.from(sorted, ({ from }) => from),
    to: Float64Array.from(sorted, ({ to }) => to),
    part: Uint8Array.from(sorted, ({ part }) => part),
    row: Uint32Array.from(sorted, ({ row }) => row),
    scope: { application: 'a1' },
    whole: true,
  };
}

/** Messages of one token, from time 0 on; each one that the quota did not refuse may have begun a day. */
export function daySliceOf(attempts: readonly Attempt[], zones: DaySlice['zones'] = 'one'): DaySlice {
  const slice = sliceOf(attempts);
  return { ...slice, firstSentUs: 0, tries: countedOf(slice, false), zones };
}

/** N per W of an exact, exclusive service with unspent limits and a known clock; the given members replace these. */
export function boundsFor(max: number, windowUs: number, members: Partial<Bounds> = {}): Bounds {
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
    ...members,
  };
}

export const admitted = (from: number, to = from): Attempt => ({ from, to, part: Part.admitted });
export const refused = (from: number, to = from): Attempt => ({ from, to, part: Part.refused });
export const maybe = (from: number, to = from): Attempt => ({ from, to, part: Part.maybe });

/** All instants of a span at which something may begin or end, and those between them. */
export const halves = (from: number, to: number) => Array.from({ length: 2 * (to - from) + 1 }, (_, i) => from + i / 2);
