import { probit } from 'simple-statistics';
import type { Millis, Random } from '../base/index.ts';
import type { LatencyDistribution } from './values.ts';

/** The standard normal's 95th percentile, Φ⁻¹(0.95). */
const Z95 = 1.6448536269514722;

/**
 * Draws a duration from a distribution; deterministic for a given random stream. Every call takes two numbers from the stream,
 * whatever the distribution, so that changing a distribution does not change what other consumers of the stream get.
 * @returns milliseconds, ≥ 0 and finite, fractional
 */
export function sampleLatency(distribution: LatencyDistribution, random: Random): Millis {
  const u = random.next();
  const v = random.next();
  return durationAt(distribution, u, () => standardNormal(u, v));
}

/** Box–Muller transform (1958) of two uniforms in [0, 1) to one standard normal; 1 − u avoids log(0). */
function standardNormal(u: number, v: number): number {
  return Math.sqrt(-2 * Math.log(1 - u)) * Math.cos(2 * Math.PI * v);
}

/**
 * Quantile of a distribution: the duration that a share `p` of draws does not exceed.
 * @param p 0 < p < 1
 * @returns milliseconds, ≥ 0
 */
export const quantileOf = (distribution: LatencyDistribution, p: number): Millis =>
  durationAt(distribution, p, () => probit(p));

/** @param share 0 ≤ share < 1 @param normal a value of the standard normal, made only if it is needed */
function durationAt(distribution: LatencyDistribution, share: number, normal: () => number): Millis {
  switch (distribution.distribution) {
    case 'constant':
      return distribution.value;
    case 'uniform':
      return (distribution.min + (distribution.max - distribution.min) * share) as Millis;
    case 'exponential':
      return (-distribution.mean * Math.log(1 - share)) as Millis;
    case 'lognormal': {
      const sigma = Math.log(distribution.p95 / distribution.median) / Z95;
      return (distribution.median * Math.exp(sigma * normal())) as Millis;
    }
  }
}
