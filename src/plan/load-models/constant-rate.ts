import { formatDuration, microsFromMillis } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import type { LoadModelKind } from './load-model.ts';
import { byRate, type RateSpan, rateInWords } from './rate-profile.ts';

type ConstantRate = Extract<LoadModel, { model: 'constant-rate' }>;

const spans = ({ rate, duration }: ConstantRate): RateSpan[] => [{ from: rate, to: rate, seconds: duration / 1_000 }];

/** Arrival k comes at k ÷ rate, k = 0, 1, …, while that is less than the duration. */
export const constantRate: LoadModelKind<ConstantRate> = {
  ...byRate(spans),
  durationUs: (model) => microsFromMillis(model.duration),
  describe: (model) => `${rateInWords(model.rate)} for ${formatDuration(microsFromMillis(model.duration))}`,
};
