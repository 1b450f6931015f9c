import { z } from 'zod';
import { type Knee, outcomeClasses, type StageSummary, stageStates } from '../../collect/index.ts';
import { distribution, LatencySchema } from './distribution.ts';
import { count, memberOf, micros, objectOf, share, text } from './parts.ts';
import { refusalCounts } from './sections.ts';

const change = (description: string) =>
  memberOf<{ readonly from: number; readonly to: number }>(description, {
    from: z.number().min(0).describe('At its beginning'),
    to: z.number().min(0).describe('At its end'),
  }).optional();

export const StageSchema = objectOf<StageSummary>(
  'Stage',
  'A stretch of the plan: a stair, a ramp, a phase. An exchange counts in the stage in which it was intended, a journey in that of its arrival; what was intended after the last one, in the last one',
  {
    name: text('Distinct: stair-3, climb.stair-3'),
    fromUs: micros('Its beginning'),
    toUs: micros("The next one's beginning; of the last one, the planned end"),
    arrivalsPerMinute: change('What the open load models in it ask for; absent where one of them names no rate'),
    users: change('Users of the closed load models in it'),
    measuredUs: micros(
      'How much of it was measured: without the warm-up, and without the part after the end of a run cut short',
    ),
    state: z
      .enum(stageStates)
      .describe(
        'held: every arrival started, every journey reached its end, nothing was refused or failed; gave-in: something was refused or failed, or a journey stopped; untold: neither can be said',
      ),
    arrivals: count('Journeys that ended, and arrivals dropped; of a complete run, all that were planned'),
    dropped: count('Arrivals that were never started'),
    journeys: memberOf<StageSummary['journeys']>('Journeys by how they ended', {
      completed: count('Reached their end'),
      stopped: count('Stopped by a refusal or an error'),
      interrupted: count("Cut off by the run's end"),
    }),
    exchanges: count('Exchanges: every attempt'),
    byOutcome: z.record(z.enum(outcomeClasses), count('Exchanges')).describe('Exchanges by outcome'),
    expectedErrors: count('Errors that the step expects; absent: none').optional(),
    refusedBy: refusalCounts,
    refusedShare: share('429s, of all exchanges, 0 to 1; absent without exchanges').optional(),
    failedShare: share('Failures, of all exchanges, 0 to 1; absent without exchanges').optional(),
    perMinute: memberOf<NonNullable<StageSummary['perMinute']>>(
      'What was achieved, by measuredUs; absent where nothing was measured',
      {
        completedJourneys: z.number().min(0).describe('Journeys that reached their end: beside arrivalsPerMinute'),
        successes: z
          .number()
          .min(0)
          .describe('Exchanges that succeeded; of the last stage, those intended before its end'),
      },
    ).optional(),
    latency: LatencySchema.describe('Of successes, all operations together; absent without any').optional(),
    heldBack: memberOf<NonNullable<StageSummary['heldBack']>>(
      "Waiting for the scenario's own caps (openTurns, requestsPerMinute, inFlight); absent where nothing waited",
      {
        count: count('Exchanges that waited'),
        totalUs: micros('Summed'),
        maxUs: micros('Longest'),
        sentLater: count(
          'Of these, those sent only after the end of the stage: the stage was then not under the planned load',
        ),
      },
    ).optional(),
    turns: memberOf<NonNullable<StageSummary['turns']>>('Turns whose messages were intended in it; absent: none', {
      accepted: count('Turns'),
      completed: count('Turns'),
      failed: count('The service said so'),
      unfinished: count('Not seen to finish'),
      completion: distribution('From the acceptance to the first observation of completion'),
    }).optional(),
  },
);

const names = (description: string) => z.array(z.string()).describe(description);

export const KneeSchema = objectOf<Knee>(
  'Knee',
  'Where a rising load first became too much, judged by counts alone: names of stages',
  {
    from: text('The first stage from which on the load only rises'),
    to: text('The last of these'),
    held: text('The last stage that held before the first that gave in; absent if none held').optional(),
    gaveIn: text('The first stage that gave in; absent if none did').optional(),
    untold: names('Stages before that one, or before the end, that could not be judged'),
    heldAgain: names('Later stages that held although an earlier one gave in'),
    withinWindow: z
      .literal(true)
      .describe(
        'The stage that gave in was refused by the rate limit and is shorter than its window, so requests of earlier stages count in it; absent otherwise',
      )
      .optional(),
  },
);
