import { z } from 'zod';
import type {
  CandidateComparison,
  Comparison,
  Difference,
  FindingComparison,
  LimitComparison,
  MetricComparison,
} from '../../gates/index.ts';
import { count, flag, memberOf, objectOf, share, text, unit } from './parts.ts';

const number = (description: string) => z.number().describe(description);

const DifferenceSchema = objectOf<Difference>('Difference', 'Candidate minus base', {
  absolute: number('In the unit of the metric'),
  relative: number("Relative to the base's value; absent for shares, and if the base's value is 0").optional(),
});

const verdict = z
  .enum(['better', 'worse', 'same', 'cannot tell'])
  .describe(
    'better, worse: significant after the correction and beyond the slack; same: the whole interval is within the slack',
  );

const MetricSchema = objectOf<MetricComparison>('MetricComparison', 'Comparison of one metric', {
  metric: text('The metric with its tags, and the aggregation'),
  unit: unit('Unit of the values'),
  base: number('Median over the rounds of the base; absent if no round has a value').optional(),
  candidate: number('The same for the candidate').optional(),
  rounds: memberOf<MetricComparison['rounds']>('Numbers of rounds with a value; if rounds are paired, of pairs', {
    base: count('Of the base'),
    candidate: count('Of the candidate'),
  }),
  difference: DifferenceSchema.describe(
    'Hodges–Lehmann estimate of round against round; its sign may be another than that of candidate minus base',
  ).optional(),
  interval: memberOf<NonNullable<MetricComparison['interval']>>(
    '95 % interval of the difference for this metric alone; absent with too few rounds',
    {
      low: DifferenceSchema,
      high: DifferenceSchema,
    },
  ).optional(),
  p: share('Two-sided p-value for the hypothesis of no difference').optional(),
  pCorrected: share(
    "The same with Holm's correction for all comparisons whose p-value can be below 1; it stays 1 for the others, such as a share that never differed",
  ).optional(),
  needed: count(
    'Number of rounds needed for any significant result, if as many as now show no difference; absent if there are enough',
  ).optional(),
  verdict,
  because: text('One sentence'),
});

const LimitSchema = objectOf<LimitComparison>('LimitComparison', 'Comparison of the verdicts on one limit', {
  limit: text('The limit'),
  base: count('Number of runs of the base in which it was violated'),
  candidate: count('Number of runs of the candidate in which it was violated'),
  verdict,
  because: text('One sentence'),
});

const FindingSchema = objectOf<FindingComparison>('FindingComparison', 'Comparison of what else is proven', {
  finding: text('Kind of the finding, or wrongful-refusal'),
  base: count('Number of runs of the base in which it is proven'),
  candidate: count('Number of runs of the candidate in which it is proven'),
  verdict,
  because: text('One sentence'),
});

export const leftOutSchema = count(
  'Number of rounds left out because a run of them was invalid; absent: none',
).optional();

export const CandidateSchema = objectOf<CandidateComparison>('Candidate', 'Comparison of one candidate with the base', {
  name: text('Name as given'),
  runs: z.array(z.string()).describe('Identifiers of its runs'),
  interleaved: flag("Whether its rounds were interleaved with the base's"),
  differs: z.array(z.string()).describe('Other permitted differences between the runs'),
  leftOut: leftOutSchema,
  metrics: z.array(MetricSchema).describe('In the requested order'),
  limits: z.array(LimitSchema).describe('A limit differs only if exactly one side has a proven violation'),
  findings: z
    .array(FindingSchema)
    .describe('Other misbehaviour that is proven on any side, and that the profile does not accept'),
  regressed: flag('Whether anything is worse (exit code 99)'),
});

export const slackSchema = memberOf<Comparison['slack']>(
  'Differences up to this size do not matter; a difference of times must exceed both of its values',
  {
    relative: share("For times and counts: share of the base's value"),
    absoluteMs: share('For times, in milliseconds'),
    absoluteShare: share('For shares: 0.01 is one percentage point'),
  },
);
