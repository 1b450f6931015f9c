import type { Bounds } from '../bounds.ts';
import type { OverAdmissionDraft } from '../draft.ts';
import { risingCopy } from '../rising.ts';
import { Part, type Slice } from '../slice.ts';
import { countBelow, countUpTo } from './counted.ts';

/**
 * A request that was admitted although N attempts, refused ones among them, surely lay within the last W before it. Proved from
 * attempts that were surely made: others can only make it worse.
 */
export function admittedAmongAttempts(slice: Slice, { max, shortUs }: Bounds): OverAdmissionDraft | undefined {
  const { from, to, part, size } = slice;
  if (shortUs <= 0) return undefined;
  const isSure = (i: number) => part[i] === Part.admitted || part[i] === Part.refused;
  const sure: number[] = [];
  for (let i = 0; i < size; i++) if (isSure(i)) sure.push(i);
  const starts = Float64Array.from(sure, (i) => from[i] as number);
  const ends = risingCopy(Float64Array.from(sure, (i) => to[i] as number));
  for (const i of sure) {
    if (part[i] !== Part.admitted) continue;
    const since = (to[i] as number) - shortUs;
    // Ended before it began, less those that may have lain before the window: never more than there were.
    const within = countBelow(ends, from[i] as number) - countUpTo(starts, since);
    if (within < max) continue;
    const before = sure.filter((k) => (to[k] as number) < (from[i] as number) && (from[k] as number) > since);
    return {
      rule: 'sliding-log-attempts',
      because: 'over-admission',
      observed: max + 1,
      possible: max,
      positions: [...before.slice(-max), i].sort((a, b) => a - b),
    };
  }
  return undefined;
}
