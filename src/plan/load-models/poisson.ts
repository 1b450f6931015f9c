import { formatDuration, seededRandom } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import { byGaps, durationOf, type Gaps } from './gaps.ts';
import type { LoadModelKind } from './load-model.ts';
import { rateInWords } from './rate-profile.ts';

type Poisson = Extract<LoadModel, { model: 'poisson' }>;

/** Exponential gaps by inversion, with 1 − u instead of u, because u may be 0. */
function gapsOf({ rate }: Poisson, seed: number): Gaps {
  const random = seededRandom(seed, 'poisson');
  const next = () => -Math.log(1 - random.next()) / rate;
  return { first: next, next };
}

/** A Poisson process, which models the arrivals of many independent users. */
export const poisson: LoadModelKind<Poisson> = {
  ...byGaps(gapsOf),
  describe: (model) => `Poisson, on average ${rateInWords(model.rate)} for ${formatDuration(durationOf(model))}`,
};
