import { formatDuration, type Random, seededRandom } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import { byGaps, durationOf, type Gaps } from './gaps.ts';
import type { LoadModelKind } from './load-model.ts';
import { rateInWords } from './rate-profile.ts';

type Gamma = Extract<LoadModel, { model: 'gamma' }>;

/**
 * Gamma distributed gaps with shape `burstiness` and mean 1 ÷ rate. The first gap is the rest of one that started earlier: a
 * uniform share of a gap drawn in proportion to its length. So the process is stationary, and the expected number of arrivals is
 * rate × duration.
 */
function gapsOf({ rate, burstiness }: Gamma, seed: number): Gaps {
  const random = seededRandom(seed, 'gamma');
  const scale = 1 / (burstiness * rate);
  return {
    first: () => random.next() * gammaVariate(burstiness + 1, random) * scale,
    next: () => gammaVariate(burstiness, random) * scale,
  };
}

/** A renewal process with gamma distributed gaps. A shape below 1 makes arrivals burstier than Poisson, above 1 more regular. */
export const gamma: LoadModelKind<Gamma> = {
  ...byGaps(gapsOf),
  describe: (model) =>
    `gamma of burstiness ${model.burstiness}, on average ${rateInWords(model.rate)} for ${formatDuration(durationOf(model))}`,
};

/**
 * Draws from a gamma distribution with scale 1. Marsaglia and Tsang, "A simple method for generating gamma variables", ACM
 * TOMS 26 (2000); for a shape below 1 by their section 6: a draw with shape + 1, times u to the power of 1 ÷ shape.
 * @param shape > 0
 */
export function gammaVariate(shape: number, random: Random): number {
  if (shape < 1) return gammaVariate(shape + 1, random) * (1 - random.next()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normalVariate(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random.next()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** Draws from the standard normal distribution by the polar method (Marsaglia and Bray, 1964); the second value is not used. */
function normalVariate(random: Random): number {
  for (;;) {
    const x = 2 * random.next() - 1;
    const y = 2 * random.next() - 1;
    const s = x * x + y * y;
    if (s > 0 && s < 1) return x * Math.sqrt((-2 * Math.log(s)) / s);
  }
}
