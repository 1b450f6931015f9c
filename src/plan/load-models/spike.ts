import { formatDuration, microsFromMillis } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import type { LoadModelKind } from './load-model.ts';
import { byRate, type RateSpan, rateInWords } from './rate-profile.ts';

type Spike = Extract<LoadModel, { model: 'spike' }>;

const spans = ({ base, peak, before, ramp, hold, after }: Spike): RateSpan[] => [
  { from: base, to: base, seconds: before / 1_000 },
  { from: base, to: peak, seconds: ramp / 1_000 },
  { from: peak, to: peak, seconds: hold / 1_000 },
  { from: peak, to: base, seconds: ramp / 1_000 },
  { from: base, to: base, seconds: after / 1_000 },
];

const PARTS = ['before', 'ramp-up', 'peak', 'ramp-down', 'after'] as const;

/** A base rate, a peak that is reached at once or by a ramp, and the base rate again. */
export const spike: LoadModelKind<Spike> = {
  ...byRate(spans, (index) => PARTS[index] ?? ''),
  durationUs: ({ before, ramp, hold, after }) => microsFromMillis(before + 2 * ramp + hold + after),
  describe({ base, peak, before, ramp, hold, after }) {
    const time = (ms: number) => formatDuration(microsFromMillis(ms));
    const risen = ramp === 0 ? '' : `, reached and left within ${time(ramp)}`;
    return `${rateInWords(base)} for ${time(before)}, ${rateInWords(peak)} for ${time(hold)}${risen}, ${rateInWords(base)} for ${time(after)}`;
  },
};
