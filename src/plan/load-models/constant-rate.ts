import { formatDuration, microsFromMillis, microsFromSeconds } from '../../base/index.ts';
import type { LoadModel } from '../../scenario/index.ts';
import type { LoadModelKind } from './load-model.ts';

type ConstantRate = Extract<LoadModel, { model: 'constant-rate' }>;

/**
 * Arrival k comes at k / rate, k = 0, 1, …, as long as that is before the duration. Each offset is computed from k rather
 * than added up, so that rounding never accumulates.
 */
export const constantRate: LoadModelKind<ConstantRate> = {
  *arrivals(model) {
    const total = constantRate.count(model);
    for (let k = 0; k < total; k++) yield microsFromSeconds(k / model.rate);
  },
  // The small allowance keeps 20/min × 3 s at exactly one arrival where the product is 1.0000000000000002.
  count: (model) => Math.ceil((model.rate * model.duration) / 1_000 - 1e-9),
  users: () => [],
  durationUs: (model) => microsFromMillis(model.duration),
  describe: (model) => `${rateInWords(model.rate)} for ${formatDuration(microsFromMillis(model.duration))}`,
};

/** A rate in the unit in which it is at least 1: `5 per second`, `20 per minute`, `50 per day`. */
export function rateInWords(perSecond: number): string {
  const units = [
    ['second', 1],
    ['minute', 60],
    ['hour', 3_600],
    ['day', 86_400],
  ] as const;
  const [unit, seconds] = units.find(([, length]) => perSecond * length >= 0.9995) ?? units[3];
  return `${Number((perSecond * seconds).toPrecision(4))} per ${unit}`;
}
