import { z } from 'zod';
import { DurationText, operationIds } from '../../api/index.ts';
import type { ConfigProblem } from '../../base/index.ts';
import {
  expressionPattern,
  type Gate,
  gateNames,
  type KnownTags,
  limitDemands,
  metricNames,
  metricOf,
  parseGate,
  plainOptions,
  splitGate,
  tagsOf,
  writtenAggregations,
} from '../../metrics/index.ts';
import { PositiveDuration } from './values.ts';

/** The pattern is for editors. The loader parses the expression and gives better messages. */
const Threshold = z
  .string()
  .min(1)
  .meta({ pattern: `(${expressionPattern})|^\\s*(${limitDemands.join('|').replaceAll(' ', '\\s+')})\\s*$` })
  .describe(
    "k6's grammar: p(95)<300, rate<0.01, count>=50; times in milliseconds, shares from 0 to 1. bound(p(90))<8000 judges the 95 % bound instead of the estimate. Of limit.rate, limit.concurrency and limit.daily: held, or not violated.",
  );

const GateWithOptions = z.strictObject({
  threshold: Threshold,
  abortOnFail: z
    .boolean()
    .default(false)
    .describe(
      'A failure ends the run at once (exit code 108); one of bound(…) only if the bound at the other end fails, too.',
    ),
  delayAbortEval: DurationText.optional().describe('Run time before which a failure does not end the run.'),
  window: PositiveDuration.optional().describe(
    'Judge every window of this length, ending at each whole second, instead of the whole run; whole seconds.',
  ),
  allowNoData: z.boolean().default(false).describe('True: a gate with too few samples does not fail the run.'),
});

const metricsText = metricNames
  .map((name) => {
    const { type } = metricOf(name);
    const tags = tagsOf(name);
    return `${name}${tags.length === 0 ? '' : `{${tags.join(', ')}}`} (${writtenAggregations(type).join(', ')})`;
  })
  .join('; ');

/** Gates by metric, like k6's thresholds. */
export const Gates = z
  .record(
    z.string(),
    z.union([Threshold, z.array(z.union([Threshold, GateWithOptions])).min(1)], {
      error: 'must be text or a list; write for example p(95)<300, or [{ threshold: p(95)<300, abortOnFail: true }]',
    }),
  )
  .meta({ propertyNames: { pattern: `^\\s*(${gateNames.join('|').replaceAll('.', '\\.')})\\s*(\\{[^{}]*\\})?\\s*$` } })
  .describe(
    `Conditions that the run must meet, otherwise exit code 99; by metric, with tags in braces. Metrics: ${metricsText}; limit.rate, limit.concurrency, limit.daily.`,
  );

/** The known values of tags. Absent tags accept any value. */
export const knownTags = (
  journeys?: readonly string[],
  applications?: readonly string[],
  stages?: readonly string[],
): KnownTags => ({
  operation: operationIds,
  ...(journeys && { journey: journeys }),
  ...(applications && { application: applications }),
  ...(stages && { stage: stages }),
});

/** The path of a gate of the command line in problems. */
export const pathOfWord = (word: string, words: readonly string[]): string =>
  words.length > 1 ? `--gate "${word}"` : '--gate';

/**
 * Parses gates of the command line, each `METRIC: EXPRESSION`.
 * @returns the valid gates, and the problems of the others
 */
export function gatesNamed(
  words: readonly string[],
  known: KnownTags = knownTags(),
): { readonly gates: readonly Gate[]; readonly problems: readonly ConfigProblem[] } {
  const read = words.map((word) => {
    const split = splitGate(word);
    if (!split) {
      const example = word.startsWith('limit.')
        ? 'limit.rate: held'
        : 'http_req_duration{operation:sendMessage}: p(95)<300';
      const hint = `write for example --gate '${example}'`;
      return { problems: [{ path: '--gate', message: `"${word}" is not of the form METRIC: EXPRESSION`, hint }] };
    }
    const parsed = parseGate(split.name, split.threshold, plainOptions, known);
    if ('value' in parsed) return { gate: parsed.value, problems: [] };
    return {
      problems: parsed.faults.map(
        ({ message, hint }): ConfigProblem => ({
          path: pathOfWord(word, words),
          message,
          ...(hint !== undefined && { hint }),
        }),
      ),
    };
  });
  return {
    gates: read.flatMap(({ gate }) => (gate ? [gate] : [])),
    problems: read.flatMap(({ problems }) => problems),
  };
}
