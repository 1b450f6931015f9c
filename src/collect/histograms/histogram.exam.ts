import fc from 'fast-check';
import { MicrosHistogram } from './histogram.ts';

export const DAY_US = 86_400_000_000;
export const values = fc.array(
  fc.oneof(fc.nat({ max: 3_000 }), fc.nat({ max: 10_000_000 }), fc.integer({ min: 0, max: 7 * DAY_US })),
  { minLength: 1, maxLength: 300 },
);
export const percents = fc.oneof(
  fc.constantFrom(50, 90, 95, 99, 99.9, 100),
  fc.double({ min: 0.01, max: 100, noNaN: true }),
);

export function histogramOf(samples: readonly number[]): MicrosHistogram {
  const histogram = new MicrosHistogram();
  for (const sample of samples) histogram.record(sample);
  return histogram;
}
