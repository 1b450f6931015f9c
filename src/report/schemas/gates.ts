import { z } from 'zod';
import type { GateResult } from '../../gates/index.ts';
import type { RoundOf } from '../../history/index.ts';
import { count, flag, memberOf, micros, objectOf, share, text, unit } from './parts.ts';

type Windows = NonNullable<GateResult['windows']>;
type Bounds = NonNullable<GateResult['bounds']>;

export const GateResultSchema = objectOf<GateResult>('Gate', 'Result of one gate', {
  metric: text('The metric with its tags, or limit.rate, limit.concurrency, limit.daily'),
  expression: text('The requirement'),
  state: z
    .enum(['pass', 'fail', 'undetermined'])
    .describe('undetermined: there are too few samples, or a verdict is undecided'),
  because: text('One sentence, with the numbers'),
  failsRun: flag('Whether it failed, or is undetermined and does not allow that (exit code 99)'),
  observed: share('The number that was compared').optional(),
  unit: unit('Unit of observed and of the threshold').optional(),
  samples: count('Number of samples; for a share, its denominator').optional(),
  needed: count('Number of samples that the expression needs; absent if there are enough').optional(),
  carries: share(
    'The most extreme percentile that these samples support; present if the requested one is beyond it',
  ).optional(),
  bounds: memberOf<Bounds>(
    'Bounds of the observed value, each with 95 % confidence; an end is absent if the samples do not bound it',
    {
      low: share('Not below this').optional(),
      high: share('Not above this').optional(),
      method: z
        .enum(['order-statistics', 'batch-means', 'clopper-pearson'])
        .describe('order-statistics and clopper-pearson assume independent samples'),
    },
  ).optional(),
  windows: memberOf<Windows>('Counts of its windows; absent without windows', {
    lengthMs: count('Length of a window, ms'),
    judged: count('Windows that could be judged; of consecutive ones with the same samples one'),
    failed: count('Windows that failed'),
    tooFew: count('Windows with samples, but too few to judge'),
    firstFailed: memberOf<NonNullable<Windows['firstFailed']>>('The first window that failed, in run time', {
      fromUs: micros('From'),
      toUs: micros('To'),
      runId: text('The run that it is of, one of runs; absent if there is only one').optional(),
    }).optional(),
  }).optional(),
  stoppedRun: z.literal(true).describe('Present if it ended the run').optional(),
});

export const RoundSchema = memberOf<RoundOf>(
  'The round, if the run is one of several, whose gates are judged together in rounds.json; absent for a single run',
  {
    number: count('From 1'),
    of: count('Number of planned rounds'),
    side: z.enum(['base', 'candidate']).describe('base or candidate; base if there is no comparison'),
  },
);
