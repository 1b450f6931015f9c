import { type Micros, type Millis, microsFromMillis, microsFromSeconds } from '../../base/index.ts';

/** A load model with random gaps. */
interface GapModel {
  readonly duration: Millis;
}

/** Gaps between arrivals, in seconds. Each call draws a new one. */
export interface Gaps {
  /** From the start to the first arrival. */
  first(): number;
  /** From one arrival to the next. */
  next(): number;
}

/** Arrivals separated by the gaps, before the end of the duration. */
export function* offsetsByGaps({ duration }: GapModel, gaps: Gaps): Generator<Micros> {
  const end = duration / 1_000;
  for (let at = gaps.first(); at < end; at += gaps.next()) yield microsFromSeconds(at);
}

/** Number of offsets that `offsetsByGaps` yields; draws all gaps, in constant memory. */
export function countByGaps({ duration }: GapModel, gaps: Gaps): number {
  const end = duration / 1_000;
  let count = 0;
  for (let at = gaps.first(); at < end; at += gaps.next()) count++;
  return count;
}

export const durationOf = ({ duration }: GapModel): Micros => microsFromMillis(duration);
