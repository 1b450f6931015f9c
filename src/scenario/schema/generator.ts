import { z } from 'zod';
import { PositiveDuration } from './values.ts';

const orTheService =
  "If the service takes longer at the same percentile, its time without the event loop's delay applies instead.";

/**
 * Thresholds beyond which the generator, not the service, determines the measurements. They detect any rate that the generator
 * cannot keep, because its lag then grows every second, but tolerate hiccups of a shared machine, which affect few requests.
 */
export const Generator = z.strictObject({
  medianLag: PositiveDuration.prefault('50ms').describe(
    `Allowed median of the schedule lag: how late requests leave because of the generator itself. ${orTheService}`,
  ),
  p99Lag: PositiveDuration.prefault('500ms').describe(`Allowed 99th percentile of the schedule lag. ${orTheService}`),
  eventLoop: PositiveDuration.prefault('50ms').describe(
    `Allowed typical delay of the event loop, during which an answer is not read, and allowed mean time for which standstills leave answers unread. ${orTheService}`,
  ),
  lateDrops: z
    .number()
    .min(0)
    .max(1)
    .default(0.01)
    .describe('Allowed share of arrivals that are dropped as late if a rate is a ceiling (noCatchUp).'),
  enforce: z
    .boolean()
    .default(true)
    .describe(
      'Whether a run in which the generator is the bottleneck is invalid (exit code 11); false: only a warning.',
    ),
});
