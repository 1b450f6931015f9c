import { formatDuration, microsFromMillis, microsFromSeconds } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import type { LoadModelKind } from './load-model.ts';
import { countAtRate, offsetsAtRate, partsOf, type RateStretch, rateInWords } from './rate-profile.ts';

type RampingRate = Extract<LoadModel, { model: 'ramping-rate' }>;

const stretches = ({ from, stages }: RampingRate): RateStretch[] =>
  stages.map(({ to, duration }, s) => ({ from: stages[s - 1]?.to ?? from, to, seconds: duration / 1_000 }));

/** The rate goes evenly from one value to the next, stage by stage. */
export const rampingRate: LoadModelKind<RampingRate> = {
  arrivals: (model) => offsetsAtRate(stretches(model)),
  count: (model) => countAtRate(stretches(model)),
  users: () => [],
  durationUs: (model) => microsFromMillis(model.stages.reduce((sum, stage) => sum + stage.duration, 0)),
  parts: (model) => partsOf(stretches(model), (index) => `stage-${index + 1}`),
  describe(model) {
    const ramps = stretches(model).map(({ from, to, seconds }) => {
      const time = formatDuration(microsFromSeconds(seconds));
      if (seconds === 0) return `at once to ${rateInWords(to)}`;
      return from === to ? `${rateInWords(to)} for ${time}` : `to ${rateInWords(to)} within ${time}`;
    });
    return `from ${rateInWords(model.from)} ${ramps.join(', ')}`;
  },
};
