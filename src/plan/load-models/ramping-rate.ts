import { formatDuration, microsFromMillis, microsFromSeconds } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import type { LoadModelKind } from './load-model.ts';
import { byRate, type RateSpan, rateInWords } from './rate-profile.ts';

type RampingRate = Extract<LoadModel, { model: 'ramping-rate' }>;

const spans = ({ from, stages }: RampingRate): RateSpan[] =>
  stages.map(({ to, duration }, s) => ({ from: stages[s - 1]?.to ?? from, to, seconds: duration / 1_000 }));

/** A rate that changes linearly within each stage. */
export const rampingRate: LoadModelKind<RampingRate> = {
  ...byRate(spans, (index) => `stage-${index + 1}`),
  durationUs: (model) => microsFromMillis(model.stages.reduce((sum, stage) => sum + stage.duration, 0)),
  describe(model) {
    const ramps = spans(model).map(({ from, to, seconds }) => {
      const time = formatDuration(microsFromSeconds(seconds));
      if (seconds === 0) return `at once to ${rateInWords(to)}`;
      return from === to ? `${rateInWords(to)} for ${time}` : `to ${rateInWords(to)} within ${time}`;
    });
    return `from ${rateInWords(model.from)} ${ramps.join(', ')}`;
  },
};
