import { z } from 'zod';
import { DurationText } from '../../api/index.ts';
import type { Millis } from '../../base/index.ts';
import { implied } from '../real-time/implied.ts';

/** The default of `ceiling`, unless the first wait is longer. */
const CEILING_MS = 30_000 as Millis;

const Backoff = z.strictObject({
  first: DurationText.prefault('500ms').describe('Wait before the first retry.'),
  factor: z.number().min(1).max(10).default(2).describe('Factor by which the wait grows with each retry.'),
  ceiling: DurationText.optional().describe('Maximum wait. Default: 30s, or `first` if that is longer.'),
  jitter: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe('Share of the wait that is drawn at random (seeded): 0.25 waits 75 to 100 %.'),
});

/** The longest wait before a retry. */
export const longestBackoff = ({ first, ceiling }: Pick<z.infer<typeof Backoff>, 'first' | 'ceiling'>): Millis =>
  ceiling ?? (Math.max(first, CEILING_MS) as Millis);
implied.add(Backoff, { of: (backoff: z.infer<typeof Backoff>) => ({ ceiling: longestBackoff(backoff) }) });

/** What a step does after a refusal (429) or an error. */
export const Policy = z
  .union(
    [
      z.enum(['stop', 'continue']),
      z.strictObject({
        retry: z.strictObject({
          max: z
            .int()
            .min(1)
            .max(100)
            .default(3)
            .describe('Retries after the first attempt; those after refusals and those after errors count together.'),
          obeyRetryable: z
            .boolean()
            .default(true)
            .describe(
              'Send nothing again whose error says retryable: false. A 401 is retried all the same, because that is done with a new token, unless the token request was answered so.',
            ),
          obeyRetryAfter: z.boolean().default(true).describe('Wait as long as Retry-After says, if the answer has it.'),
          retryAfterCeiling: DurationText.prefault('5min').describe(
            'If Retry-After is longer than this, retrying ends.',
          ),
          backoff: Backoff.prefault({}),
          afterwards: z
            .enum(['stop', 'continue'])
            .default('stop')
            .describe(
              'What to do when the retries are used up, Retry-After is longer than retryAfterCeiling, or the error is not retryable.',
            ),
        }),
      }),
    ],
    { error: 'must be stop, continue or a retry policy; write for example retry: { max: 3 }' },
  )
  .describe('stop ends the journey, continue goes on with the next step, retry sends the request again.');
export type Policy = z.infer<typeof Policy>;
