import { z } from 'zod';
import type { GateResult } from '../../gates/index.ts';
import { count, flag, memberOf, micros, objectOf, share, text } from './parts.ts';

type Windows = NonNullable<GateResult['windows']>;
type Bounds = NonNullable<GateResult['bounds']>;

export const GateResultSchema = objectOf<GateResult>('Gate', 'What became of one gate', {
  metric: text('The metric with its tags, or limit.rate, limit.concurrency, limit.daily'),
  expression: text('What is asked of it'),
  state: z.enum(['pass', 'fail', 'undetermined']).describe('undetermined: the samples cannot tell'),
  because: text('One sentence, with the numbers'),
  failsRun: flag('It failed, or it is undetermined and does not allow that (exit code 99)'),
  observed: share('The number that was compared').optional(),
  unit: z.enum(['ms', 'share', 'count', 'bytes', '1/s']).describe('Of observed; the unit of the threshold').optional(),
  samples: count('Samples it rests on').optional(),
  needed: count('What is asked takes so many; absent where there are enough').optional(),
  carries: share(
    'The most extreme percentile that these samples carry; absent where the one asked is not beyond',
  ).optional(),
  bounds: memberOf<Bounds>('Bounds of the observed value, each with 95 % confidence; absent where samples carry none', {
    low: share('Not below this').optional(),
    high: share('Not above this').optional(),
    method: z
      .enum(['order-statistics', 'batch-means', 'clopper-pearson'])
      .describe('order-statistics and clopper-pearson take samples to be independent'),
  }).optional(),
  windows: memberOf<Windows>('How its windows fared; absent without windows', {
    lengthMs: count('Length of a window, ms'),
    judged: count('Windows that could be judged'),
    failed: count('Windows that failed'),
    tooFew: count('Windows with samples, too few to judge'),
    firstFailed: memberOf<NonNullable<Windows['firstFailed']>>('The first that failed, run time', {
      fromUs: micros('From'),
      toUs: micros('To'),
    }).optional(),
  }).optional(),
  stoppedRun: z.literal(true).describe('It ended the run').optional(),
});
