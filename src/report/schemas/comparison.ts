import { z } from 'zod';
import type {
  CandidateComparison,
  Comparison,
  Difference,
  LimitComparison,
  MetricComparison,
} from '../../gates/index.ts';
import { count, flag, memberOf, objectOf, share, text } from './parts.ts';

const number = (description: string) => z.number().describe(description);

const DifferenceSchema = objectOf<Difference>('Difference', 'Candidate less base', {
  absolute: number('In the unit of the metric'),
  relative: number("By the base's value; absent of shares, and where that is 0").optional(),
});

const verdict = z
  .enum(['better', 'worse', 'same', 'cannot tell'])
  .describe(
    'better and worse: significant after the correction and beyond the slack; same: the whole interval within them',
  );

const MetricSchema = objectOf<MetricComparison>('MetricComparison', 'One metric of a candidate beside the base', {
  metric: text('The metric with its tags, and what is made of it'),
  unit: z.enum(['ms', 'share', 'count', 'bytes', '1/s']).describe('Of all its numbers'),
  base: number('Median over the rounds; absent where none has a value').optional(),
  candidate: number('Likewise').optional(),
  rounds: memberOf<MetricComparison['rounds']>('Rounds with a value', {
    base: count('Of the base'),
    candidate: count('Of the candidate'),
  }),
  difference: DifferenceSchema.describe("Hodges and Lehmann's estimate").optional(),
  interval: memberOf<NonNullable<MetricComparison['interval']>>(
    '95 % interval, this metric by itself; absent where so few rounds have none',
    {
      low: DifferenceSchema,
      high: DifferenceSchema,
    },
  ).optional(),
  p: share('Two-sided p-value of no difference').optional(),
  pCorrected: share("The same after Holm's correction for all that was compared").optional(),
  needed: count('Rounds that it takes to tell anything; absent where there are enough').optional(),
  verdict,
  because: text('One sentence'),
});

const LimitSchema = objectOf<LimitComparison>('LimitComparison', 'How the verdicts on one limit compare', {
  limit: text('The limit'),
  base: count('Runs of the base in which it was violated'),
  candidate: count('Runs of the candidate in which it was'),
  verdict,
  because: text('One sentence'),
});

export const leftOutSchema = count('Rounds left out, as a run of them was invalid; absent: none is').optional();

export const CandidateSchema = objectOf<CandidateComparison>('Candidate', 'A candidate beside the base', {
  name: text('As it was named'),
  runs: z.array(z.string()).describe('Identifiers of its runs'),
  interleaved: flag("Its rounds were interleaved with the base's"),
  differs: z.array(z.string()).describe('In what else the runs differ, as far as that was allowed'),
  leftOut: leftOutSchema,
  metrics: z.array(MetricSchema).describe('In the order in which they were asked for'),
  limits: z.array(LimitSchema).describe('Only proof on one side and none on the other is a verdict'),
  regressed: flag('Something is worse (exit code 99)'),
});

export const slackSchema = memberOf<Comparison['slack']>(
  'What is too small to matter; a difference must be beyond both',
  {
    relative: share("Of the base's value, of times and counts"),
    absoluteMs: share('Milliseconds, of times'),
    absoluteShare: share('Of shares'),
  },
);
