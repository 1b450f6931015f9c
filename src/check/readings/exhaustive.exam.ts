import { runs } from '../../testing/share.ts';
import { type Bounds, FLUSHED } from '../evidence/bounds.ts';

/*
 * On histories small enough, an exhaustive search over the instants at which the service may have decided says what can be.
 * What it calls impossible may be refuted, and nothing else.
 */

export const RUNS = { numRuns: runs(2_000) };

export function bounds(max: number, windowUs: number): Bounds {
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
export function possible<T>(
  lists: readonly (readonly T[])[],
  accepts: (chosen: readonly T[]) => boolean,
  chosen: T[] = [],
): boolean {
  if (!accepts(chosen)) return false;
  const next = lists[chosen.length];
  if (next === undefined) return true;
  return next.some((value) => possible(lists, accepts, [...chosen, value]));
}
