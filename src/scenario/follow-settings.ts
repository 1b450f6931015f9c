import { z } from 'zod';
import { PositiveDuration } from './values.ts';

/** How a turn is followed to its end: by the step `followTurn`, or by a burst. */
export const FollowSettings = z.strictObject({
  by: z
    .enum(['poll', 'stream', 'both'])
    .default('poll')
    .describe('poll: read the turn again and again. stream: open its event stream. both: side by side.'),
  interval: PositiveDuration.prefault('1s').describe('Planned time between two polls.'),
  backoff: z.number().min(1).max(10).default(1).describe('Factor by which the interval grows after each poll.'),
  maxInterval: PositiveDuration.optional().describe(
    'The interval grows up to this. Default: 30s, or `interval` if that is longer.',
  ),
  deadline: PositiveDuration.optional().describe(
    'Stop following a turn this long after the step began, in a burst after the acceptance of its message; it then counts as unfinished, and onError applies. Default: 60s, or twice `interval` if that is longer. No poll is due later, but one that waits for a cap is still sent.',
  ),
});
export type FollowSettings = z.infer<typeof FollowSettings>;
