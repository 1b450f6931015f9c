import { gammaln } from 'simple-statistics';

const SMALLEST = 1e-300;
const ENOUGH = 1e-15;
/** The continued fraction converges in about √max(a, b) steps; this limit is enough for a hundred million samples. */
const MOST_STEPS = 100_000;

/**
 * The regularised incomplete beta function I_x(a, b) = P(Beta(a, b) ≤ x), to about 14 digits.
 * @param x 0 to 1
 * @param a above 0
 * @param b above 0
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  const front = Math.exp(gammaln(a + b) - gammaln(a) - gammaln(b) + a * Math.log(x) + b * Math.log1p(-x));
  // The fraction converges fast only on this side of the mean; the other side follows from I_x(a, b) = 1 − I_(1−x)(b, a).
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

/** Lentz's evaluation of the continued fraction (Abramowitz and Stegun 26.5.8). */
function fraction(x: number, a: number, b: number): number {
  const awayFromZero = (value: number) => (Math.abs(value) < SMALLEST ? SMALLEST : value);
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let result = d;
  const step = (coefficient: number): number => {
    d = 1 / awayFromZero(1 + coefficient * d);
    c = awayFromZero(1 + coefficient / c);
    result *= c * d;
    return c * d;
  };
  for (let m = 1; m <= MOST_STEPS; m++) {
    step((m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)));
    const change = step((-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)));
    if (Math.abs(change - 1) < ENOUGH) break;
  }
  return result;
}

/** P(Binomial(n, share) ≤ k). @param k 0 to n − 1 */
export const binomialAtMost = (k: number, n: number, share: number): number => incompleteBeta(1 - share, n - k, k + 1);

/**
 * Finds the x from 0 to 1 at which an increasing function reaches a value, by bisection.
 * @returns x within 2^-50
 */
export function whereReached(value: number, rising: (x: number) => number): number {
  let low = 0;
  let high = 1;
  for (let halved = 0; halved < 50; halved++) {
    const middle = (low + high) / 2;
    if (rising(middle) < value) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * The quantile of Student's t distribution.
 * @param share above 0.5 and below 1
 * @param freedom degrees of freedom, ≥ 1
 */
export function studentQuantile(share: number, freedom: number): number {
  // P(T ≤ t) = 1 − I_x(freedom / 2, 1 / 2) / 2 with x = freedom / (freedom + t²).
  const x = whereReached(2 * (1 - share), (at) => incompleteBeta(at, freedom / 2, 0.5));
  return Math.sqrt((freedom * (1 - x)) / x);
}
