import { formatDuration, microsFromMillis } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import type { LoadModelKind } from './load-model.ts';
import { countAtRate, offsetsAtRate, partsOf, type RateStretch, rateInWords } from './rate-profile.ts';

type ConstantRate = Extract<LoadModel, { model: 'constant-rate' }>;

const stretches = ({ rate, duration }: ConstantRate): RateStretch[] => [
  { from: rate, to: rate, seconds: duration / 1_000 },
];

/** Arrival k comes at k / rate, k = 0, 1, …, as long as that is before the duration. */
export const constantRate: LoadModelKind<ConstantRate> = {
  arrivals: (model) => offsetsAtRate(stretches(model)),
  count: (model) => countAtRate(stretches(model)),
  users: () => [],
  durationUs: (model) => microsFromMillis(model.duration),
  parts: (model) => partsOf(stretches(model)),
  describe: (model) => `${rateInWords(model.rate)} for ${formatDuration(microsFromMillis(model.duration))}`,
};
