import { Part, type Slice } from '../evidence/slice.ts';

/**
 * Positions of attempts between two possible pauses of a window or more: from the first up to the end (exclusive). Of these,
 * attempts that may have been decided at `until` or later may lie after the pause that follows.
 */
export interface UnpausedStretch {
  readonly first: number;
  readonly end: number;
  readonly until: number;
}

/**
 * A pause is possible after an attempt if none that certainly reached the counter was certainly decided within a window after its
 * arrival. An attempt without an answer, or answered elsewhere, does not keep a counter in use. After the last attempt there is a
 * pause, in which others may end.
 */
export function stretchesOf({ size, from, to, part }: Slice, pauseUs: number): UnpausedStretch[] {
  const stretches: UnpausedStretch[] = [];
  let end = size;
  let until = Number.POSITIVE_INFINITY;
  // Of the attempts from here on: the earliest instant by which one was certainly decided.
  let earliest = Number.POSITIVE_INFINITY;
  let came = Number.POSITIVE_INFINITY;
  for (let i = size - 1; i >= 0; i--) {
    if (part[i] !== Part.admitted && part[i] !== Part.refused) continue;
    const at = from[i] as number;
    if (at < came) {
      came = at;
      if (earliest >= at + pauseUs) {
        stretches.push({ first: i + 1, end, until });
        end = i + 1;
        until = at + pauseUs;
      }
    }
    earliest = Math.min(earliest, to[i] as number);
  }
  stretches.push({ first: 0, end, until });
  return stretches.reverse();
}
