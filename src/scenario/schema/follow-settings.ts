import { z } from 'zod';
import type { Millis } from '../../base/index.ts';
import { implied } from '../real-time/implied.ts';
import { PositiveDuration } from './values.ts';

/** The default of `maxInterval`, unless the interval itself is longer. */
const MAX_INTERVAL_MS = 30_000 as Millis;
/** The default of `deadline`, unless two intervals are longer: else an interval of a minute would mean a single poll. */
const DEADLINE_MS = 60_000 as Millis;

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

type Intervals = Pick<FollowSettings, 'interval' | 'maxInterval' | 'deadline'>;

/** Up to which the interval between two polls grows. */
export const longestInterval = ({ interval, maxInterval }: Intervals): Millis =>
  maxInterval ?? (Math.max(interval, MAX_INTERVAL_MS) as Millis);

/** How long a turn is followed. */
export const followedFor = ({ interval, deadline }: Intervals): Millis =>
  deadline ?? (Math.max(DEADLINE_MS, 2 * interval) as Millis);

/** What `FollowSettings` and what extends them leave out. */
export const impliedByFollowing = {
  of: (settings: Intervals) => ({ maxInterval: longestInterval(settings), deadline: followedFor(settings) }),
};
implied.add(FollowSettings, impliedByFollowing);
