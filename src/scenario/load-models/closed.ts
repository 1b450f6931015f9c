import { z } from 'zod';
import { DurationText } from '../../api/index.ts';
import { PositiveDuration } from '../schema/values.ts';
import { closed, journeys, untilAllAreDone, users } from './common.ts';

/*
 * Closed load models: each user starts a journey when the previous one has ended, so a slow service gets fewer requests.
 */

export const ClosedUsers = z.strictObject({
  ...closed,
  model: z.literal('closed-users').describe('Users who each start the next journey when the previous one has ended.'),
  users: users.describe('Users who each start the next journey when the previous one has ended.'),
  duration: PositiveDuration.optional().describe('No journey starts after this.'),
  iterations: z.int().min(1).optional().describe('Journeys per user; give it, or duration, or both.'),
});

export const RampingUsers = z.strictObject({
  ...closed,
  model: z
    .literal('ramping-users')
    .describe('The same as closed-users with a number of users that changes, stage by stage.'),
  from: z.int().min(0).max(100_000).default(0).describe('Users at the start.'),
  stages: z
    .array(
      z.strictObject({
        to: z.int().min(0).max(100_000).describe('Users at its end.'),
        duration: DurationText.describe(
          'How long the change takes; 0 changes at once. To hold a number, repeat it as the next stage.',
        ),
      }),
    )
    .min(1)
    .describe(
      'Stages in sequence; within each the number changes linearly. A user who leaves finishes the current journey first.',
    ),
});

export const SharedIterations = z.strictObject({
  ...closed,
  model: z.literal('shared-iterations').describe('Users who share a number of journeys.'),
  users: users.describe('Users who share the journeys: the next free user takes the next one.'),
  iterations: journeys.describe('Total number of journeys.'),
  duration: untilAllAreDone,
});

export const PerUserIterations = z.strictObject({
  ...closed,
  model: z.literal('per-user-iterations').describe('Users who each run a number of journeys.'),
  users: users.describe('Users who each start the next journey when the previous one has ended.'),
  iterations: journeys.describe('Journeys of each user.'),
  duration: untilAllAreDone,
});
