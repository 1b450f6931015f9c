/** The score of a sample, with a confidence interval for the whole. */
export interface Score {
  readonly killed: number;
  readonly tried: number;
  /** `killed / tried`, from 0 to 1. */
  readonly share: number;
  /** Wilson's interval (Wilson 1927), 95 %. */
  readonly low: number;
  readonly high: number;
}

/** 97.5 % quantile of the normal distribution. */
const Z = 1.959964;

/** @param tried > 0 */
export function scoreOf(killed: number, tried: number): Score {
  const share = killed / tried;
  const square = (Z * Z) / tried;
  const centre = (share + square / 2) / (1 + square);
  const half = (Z * Math.sqrt((share * (1 - share)) / tried + square / (4 * tried))) / (1 + square);
  return { killed, tried, share, low: centre - half, high: centre + half };
}
