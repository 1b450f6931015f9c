import { z } from 'zod';
import { PositiveDuration } from './values.ts';

const orTheService = 'Or as long as the service takes at the same percentile, where that is longer.';

/**
 * From where on the generator, not the service, sets what is measured. Strict enough for any rate that it cannot keep: its
 * lag then grows with every second. Wide enough for the hiccups of a shared machine, which touch few requests.
 */
export const Generator = z.strictObject({
  medianLag: PositiveDuration.prefault('50ms').describe(
    `Allowed median of the schedule lag: how late requests leave because of the generator itself. ${orTheService}`,
  ),
  p99Lag: PositiveDuration.prefault('500ms').describe(`Allowed 99th percentile of the schedule lag. ${orTheService}`),
  eventLoop: PositiveDuration.prefault('50ms').describe(
    `Allowed typical delay of the event loop, for which an answer lies unread. ${orTheService}`,
  ),
  lateDrops: z
    .number()
    .min(0)
    .max(1)
    .default(0.01)
    .describe('Allowed share of arrivals dropped as late, where a rate is a ceiling (noCatchUp).'),
  enforce: z
    .boolean()
    .default(true)
    .describe(
      'Whether a run in which the generator is the bottleneck is invalid (exit code 11); false: only a warning.',
    ),
});
export type Generator = z.infer<typeof Generator>;
