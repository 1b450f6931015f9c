import { formatDuration, microsFromMillis } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import type { LoadModelKind } from './load-model.ts';
import { countAtRate, offsetsAtRate, partsOf, type RateStretch, rateInWords } from './rate-profile.ts';

type Steps = Extract<LoadModel, { model: 'steps' }>;

const rateOf = ({ from, by }: Steps, step: number): number => from + by * step;

const stretches = (model: Steps): RateStretch[] =>
  Array.from({ length: model.steps }, (_, step) => {
    const rate = rateOf(model, step);
    return { from: rate, to: rate, seconds: model.each / 1_000 };
  });

/** Stairs: each step holds a rate that is higher than the one before, to find the one at which a service gives in. */
export const steps: LoadModelKind<Steps> = {
  arrivals: (model) => offsetsAtRate(stretches(model)),
  count: (model) => countAtRate(stretches(model)),
  users: () => [],
  durationUs: (model) => microsFromMillis(model.each * model.steps),
  parts: (model) => partsOf(stretches(model), (index) => `stair-${index + 1}`),
  describe: (model) =>
    `${model.steps} steps of ${formatDuration(microsFromMillis(model.each))} from ${rateInWords(model.from)} to ${rateInWords(rateOf(model, model.steps - 1))}`,
};
