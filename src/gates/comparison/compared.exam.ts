import type { LimitVerdict } from '../../check/index.ts';
import type { Aggregation, Selector } from '../../metrics/index.ts';
import { type ComparedCandidate, type ComparedRun, compareRuns } from './compare.ts';
import { comparedMetric } from './compared-metric.ts';
import type { Slack } from './result.ts';

export const slack: Slack = { relative: 0.05, absoluteMs: 1, absoluteShare: 0.01 };
export const metric = (name: string, of: Aggregation['of'] = 'med', tags: Selector['tags'] = {}) =>
  comparedMetric({ metric: name, tags } as Selector, { of } as Aggregation);

export const latency = metric('http_req_duration');
export const failed = metric('http_req_failed', 'rate');

export const runsOf = (
  rounds: readonly (readonly (number | undefined)[])[],
  limits: readonly LimitVerdict[] = [],
  proven: readonly string[] = [],
): ComparedRun[] =>
  rounds.map((values, index) => ({
    runId: `r${index}`,
    values,
    limits,
    proven: proven.map((violation) => ({ violation, claim: '' })),
  }));

export function compared(
  metrics: readonly ReturnType<typeof metric>[],
  base: readonly (readonly (number | undefined)[])[],
  candidate: readonly (readonly (number | undefined)[])[],
  more: Partial<ComparedCandidate> = {},
) {
  const other = { name: 'candidate', interleaved: true, differs: [], runs: runsOf(candidate), ...more };
  return compareRuns(metrics, { name: 'base', runs: runsOf(base) }, [other], slack);
}

/** Ten rounds of about 50 ms, with a variation between rounds that both sides share. */
export const moods = [1, 1.3, 0.9, 1.1, 2, 1, 0.95, 1.2, 1.05, 1.4];
const small = [0.2, -0.3, 0.1, 0.4, -0.1, -0.2, 0.3, -0.4, 0.15, -0.05];
export const rounds = (factor: number, wobble = 1) =>
  moods.map((mood, i) => [50 * mood * factor * (1 + ((small[i] ?? 0) * wobble) / 100)]);
