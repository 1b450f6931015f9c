import { z } from 'zod';
import { type Knee, outcomeClasses, type StageSummary, stageStates } from '../../collect/index.ts';
import { distribution, LatencySchema } from './distribution.ts';
import { count, memberOf, micros, objectOf, share, text } from './parts.ts';
import { refusalCounts } from './sections.ts';

const change = (description: string) =>
  memberOf<{ readonly from: number; readonly to: number }>(description, {
    from: z.number().min(0).describe('At its start'),
    to: z.number().min(0).describe('At its end'),
  }).optional();

export const StageSchema = objectOf<StageSummary>(
  'Stage',
  'A part of the plan: a stair, a ramp, a phase. An exchange counts in the stage in which it was intended, a journey in that of its arrival; in perMinute, both count where they ended. Exchanges intended after the last stage count in the last stage',
  {
    name: text('Unique name: stair-3, climb.stair-3'),
    fromUs: micros('Start of the stage'),
    toUs: micros('Start of the next stage; for the last stage, the planned end'),
    arrivalsPerMinute: change(
      'Planned rate of the open load models; absent without such models, and if one of them has no rate',
    ),
    users: change('Planned users of the closed load models; absent without such models'),
    measuredUs: micros(
      'How much of it was measured: without the warm-up, and without the part after the end of a run cut short',
    ),
    state: z
      .enum(stageStates)
      .describe(
        'held: every arrival started, every journey reached its end, nothing was refused or failed, and the service did not fall behind; gave-in: something was refused or failed other than by the end of the run, a journey stopped, or the service fell behind; untold: neither is known',
      ),
    behind: memberOf<NonNullable<StageSummary['behind']>>(
      'Only if the service fell behind: requests that should have been sent and were not answered, whichever stage they were intended in',
      { half: count('At the half of the measured time'), end: count('At its end') },
    ).optional(),
    turnsBehind: memberOf<NonNullable<StageSummary['turnsBehind']>>(
      'Only if the service fell behind with turns: those certainly in process, whichever stage they began in',
      { half: count('At the half of the measured time'), end: count('At its end') },
    ).optional(),
    tooShort: z
      .literal(true)
      .describe(
        'Present if most requests or turns of its first eighth took longer than half of it, so that whether the service kept up cannot be seen',
      )
      .optional(),
    arrivals: count('Journeys that ended, and arrivals dropped; in a complete run, all that were planned'),
    dropped: count('Arrivals that were never started'),
    journeys: memberOf<StageSummary['journeys']>('Journeys by how they ended', {
      completed: count('Reached their end'),
      stopped: count('Stopped by a refusal or an error'),
      interrupted: count("Cut off by the run's end"),
    }),
    exchanges: count('Exchanges: every attempt'),
    byOutcome: z.record(z.enum(outcomeClasses), count('Exchanges')).describe('Exchanges by outcome'),
    cutOff: count('Of those censored, the ones that the end of the run cut off; absent: none').optional(),
    sentLate: count(
      'Exchanges that left after the end of the stage because the generator stood still; absent: none. With more than a twentieth the stage was not under the planned load, and is undecided',
    ).optional(),
    expectedErrors: count('Errors that the step expects; absent: none').optional(),
    refusedBy: refusalCounts,
    refusedShare: share('429s as a share of all exchanges, 0 to 1; absent without exchanges').optional(),
    failedShare: share('Failures as a share of all exchanges, 0 to 1; absent without exchanges').optional(),
    perMinute: memberOf<NonNullable<StageSummary['perMinute']>>(
      'Achieved rates: what ended in the measured part of the stage, whenever it began, per minute of measuredUs; absent if nothing was measured',
      {
        completedJourneys: z
          .number()
          .min(0)
          .describe('Journeys that reached their end within it; to be compared with arrivalsPerMinute'),
        successes: z.number().min(0).describe('Successes received within it'),
      },
    ).optional(),
    latency: LatencySchema.describe('Latency of successes, all operations together; absent without any').optional(),
    heldBack: memberOf<NonNullable<StageSummary['heldBack']>>(
      "Waiting for the scenario's own caps (openTurns, requestsPerMinute, inFlight); absent if nothing waited",
      {
        count: count('Exchanges that waited'),
        totalUs: micros('Total'),
        maxUs: micros('Longest'),
        sentLater: count(
          'Of these, those intended before the end of the stage and sent only after it: the stage was then not under the planned load',
        ),
      },
    ).optional(),
    turns: memberOf<NonNullable<StageSummary['turns']>>('Turns whose messages were intended in it; absent: none', {
      accepted: count('Accepted turns'),
      completed: count('Completed turns'),
      failed: count('Turns that the service reported as failed'),
      unfinished: count('Turns that were not seen to finish'),
      completion: distribution('From the acceptance to the first observation of completion'),
    }).optional(),
  },
);

const names = (description: string) => z.array(z.string()).describe(description);

export const KneeSchema = objectOf<Knee>(
  'Knee',
  'Where an increasing load first became too high, by names of stages; judged only by counts, not by latency',
  {
    from: text(
      'The first stage of the longest increase: stages in which the load never falls, neither within one nor from one to the next',
    ),
    to: text('The last stage of the increase'),
    held: text('The last stage that held before the first that gave in; absent if none held').optional(),
    gaveIn: text('The first stage that gave in; absent if none did').optional(),
    untold: names('Stages before gaveIn, or before the end, that could not be judged'),
    heldAgain: names('Later stages that held although an earlier one gave in'),
    withinWindow: z
      .literal(true)
      .describe(
        'Present if the stage that gave in was refused by the rate limit and is shorter than its window, so that requests of earlier stages count in it',
      )
      .optional(),
  },
);
