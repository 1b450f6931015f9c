import { formatDuration, microsFromMillis } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import type { LoadModelKind } from './load-model.ts';
import { byRate, type RateSpan, rateInWords } from './rate-profile.ts';

type Steps = Extract<LoadModel, { model: 'steps' }>;

const rateOf = ({ from, by }: Steps, step: number): number => from + by * step;

const spans = (model: Steps): RateSpan[] =>
  Array.from({ length: model.steps }, (_, step) => {
    const rate = rateOf(model, step);
    return { from: rate, to: rate, seconds: model.each / 1_000 };
  });

/** Stairs: constant rates, each higher than the previous one, to find the rate at which a service fails. */
export const steps: LoadModelKind<Steps> = {
  ...byRate(spans, (index) => `stair-${index + 1}`),
  durationUs: (model) => microsFromMillis(model.each * model.steps),
  describe: (model) =>
    `${model.steps} steps of ${formatDuration(microsFromMillis(model.each))} from ${rateInWords(model.from)} to ${rateInWords(rateOf(model, model.steps - 1))}`,
};
