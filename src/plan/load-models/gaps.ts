import { type Micros, type Millis, microsFromMillis, microsFromSeconds } from '../../base/index.ts';

/** Time that random gaps fill. */
interface Filled {
  readonly duration: Millis;
}

/** Gaps between arrivals, in seconds, each drawn when it is asked for. */
export interface Gaps {
  /** From the start to the first arrival. */
  first(): number;
  /** From one arrival to the next. */
  next(): number;
}

/** Arrivals one gap after the other, as long as they come before the duration. */
export function* offsetsByGaps({ duration }: Filled, gaps: Gaps): Generator<Micros> {
  const end = duration / 1_000;
  for (let at = gaps.first(); at < end; at += gaps.next()) yield microsFromSeconds(at);
}

/** How many there are; drawn one by one, in constant memory. */
export function countByGaps({ duration }: Filled, gaps: Gaps): number {
  const end = duration / 1_000;
  let count = 0;
  for (let at = gaps.first(); at < end; at += gaps.next()) count++;
  return count;
}

export const durationFilled = ({ duration }: Filled): Micros => microsFromMillis(duration);
