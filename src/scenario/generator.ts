import { z } from 'zod';
import { PositiveDuration } from './values.ts';

const orTheService = 'Or as long as the service takes at the same percentile, where that is longer.';

/**
 * From where on the generator, not the service, sets what is measured. Strict enough for any rate that it cannot keep: its
 * lag then grows with every second. Wide enough for the hiccups of a shared machine, which touch few requests.
 */
export const Generator = z.strictObject({
  medianLag: PositiveDuration.prefault('50ms').describe(
    `How late half of the requests may leave by the generator's own fault. ${orTheService}`,
  ),
  p99Lag: PositiveDuration.prefault('500ms').describe(`How late all but one in a hundred may leave. ${orTheService}`),
  eventLoop: PositiveDuration.prefault('50ms').describe(
    `How late its event loop may typically be: so long an answer lies unread. ${orTheService}`,
  ),
  lateDrops: z
    .number()
    .min(0)
    .max(1)
    .default(0.01)
    .describe('Share of the arrivals that may be dropped as late, where a rate is a ceiling (noCatchUp).'),
  enforce: z
    .boolean()
    .default(true)
    .describe('Whether a run in which the generator is the bottleneck is invalid (exit 11); false only tells it.'),
});
export type Generator = z.infer<typeof Generator>;
