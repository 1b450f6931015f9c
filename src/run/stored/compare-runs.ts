import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { operationIds } from '../../api/index.ts';
import { type ConfigProblem, ConfigurationError, together } from '../../base/index.ts';
import { MetricSeries } from '../../collect/index.ts';
import {
  type ComparedCandidate,
  type ComparedMetric,
  type ComparedRun,
  type Comparison,
  comparedMetric,
  comparedValue,
  compareRuns,
  printCompared,
  type Slack,
} from '../../gates/index.ts';
import { readJournalSync } from '../../history/index.ts';
import { aggregationFaults, type KnownTags, parseAggregation, parseSelector, splitGate } from '../../metrics/index.ts';
import { writeComparison } from '../../report/index.ts';
import { knownTags } from '../../scenario/index.ts';
import { makeFolder, writing } from '../disk.ts';
import { findRounds, type NamedRuns, runsNamed, sideOf } from '../rounds/rounds-folder.ts';
import { checkComparable, checkDistinct, type RunDifference, tagsIn } from './comparable.ts';
import { judgeJournal } from './judge-journal.ts';
import { createResultsFolder } from './results-folder.ts';

export interface CompareOptions {
  /** A run, a folder of rounds, or `latest`. */
  readonly base: string;
  /** Absent: the base is a folder of rounds of two sides. */
  readonly candidates: readonly string[];
  /** `METRIC: AGGREGATION`; empty: the usual ones. */
  readonly metrics: readonly string[];
  readonly slack: Slack;
  /** Differences that are allowed. */
  readonly allow: readonly RunDifference[];
  /**
   * Folder for the comparison's files; default: the folder of the interleaved rounds if metrics and slack are the usual ones, else a
   * new one below results/.
   */
  readonly out?: string | undefined;
}

export interface CompareOutcome {
  readonly comparison: Comparison;
  /** Where its files were written. */
  readonly folder: string;
}

/** 5 % and 1 ms for times, 0.01 for shares. */
export const usualSlack: Slack = { relative: 0.05, absoluteMs: 1, absoluteShare: 0.01 };

/**
 * Compares runs that are on the disk.
 * @throws ConfigurationError when something named is no run or no metric, or runs differ in what is not allowed
 */
export async function compareOnDisk(options: CompareOptions): Promise<CompareOutcome> {
  const { base, candidates, folder } = await sidesOf(options);
  const metrics = metricsNamed(options.metrics, tagsIn([base, ...candidates].flatMap(({ journals }) => journals)));
  const [, ...differs] = await together(
    () => checkDistinct(candidates.map(({ journals }) => journals)),
    ...candidates.map((side) => () => checkSide(base, side, options.allow)),
  );
  const baseRuns = base.journals.map((journal) => comparedRun(journal, metrics));
  const others = candidates.map(
    (candidate, index): ComparedCandidate => ({
      name: candidate.name,
      leftOut: candidate.leftOut ?? 0,
      interleaved: candidate.interleaved,
      differs: differs[index] ?? [],
      runs: candidate.journals.map((journal) => comparedRun(journal, metrics)),
    }),
  );
  const shown = withValues(metrics, [baseRuns, ...others.map(({ runs }) => runs)], options.metrics.length > 0);
  const only = (runs: readonly ComparedRun[]) =>
    runs.map((run) => ({ ...run, values: shown.map((index) => run.values[index]) }));
  const comparison = compareRuns(
    shown.flatMap((index) => metrics[index] ?? []),
    { name: base.name, leftOut: base.leftOut ?? 0, runs: only(baseRuns) },
    others.map((candidate) => ({ ...candidate, runs: only(candidate.runs) })),
    options.slack,
  );
  const own = isUsual(options) ? folder : undefined;
  const out = options.out ?? own ?? createResultsFolder('comparison', new Date(), undefined).path;
  await writing(async () => {
    makeFolder(out);
    await writeComparison(out, comparison);
  });
  return { comparison, folder: out };
}

/** What the run itself wrote beside its rounds, and its summary.md quotes: a comparison by other metrics or slacks must not replace it. */
const isUsual = ({ metrics, slack }: CompareOptions): boolean =>
  metrics.length === 0 && isDeepStrictEqual(slack, usualSlack);

/** Interleaved rounds were compared by the command that ran them, even if cut off, so a later comparison must say the same. */
const checkSide = (base: NamedRuns, { journals, interleaved }: Side, allow: readonly RunDifference[]) =>
  checkComparable(base.journals, journals, interleaved ? [...allow, 'incomplete'] : allow);

interface Side extends NamedRuns {
  readonly interleaved: boolean;
}

interface Sides {
  readonly base: NamedRuns;
  readonly candidates: readonly Side[];
  readonly folder?: string;
}

/** @throws ConfigurationError with every name that is no run */
async function sidesOf({ base, candidates }: CompareOptions): Promise<Sides> {
  if (candidates.length > 0) {
    const [first, ...others] = await together(
      () => runsNamed(base),
      ...candidates.map((name) => () => ({ ...runsNamed(name), interleaved: false })),
    );
    return { base: first, candidates: others };
  }
  const found = findRounds(base);
  const target = found?.rounds.targets.candidate;
  if (!found || target === undefined) {
    if (base !== 'latest' && !existsSync(base))
      throw new ConfigurationError([
        { path: base, message: 'does not exist', hint: 'name a run, or a folder of rounds' },
      ]);
    const hint = 'name a candidate too, or a folder of spillway run --repeat N --against TARGET';
    throw new ConfigurationError([{ path: base, message: 'is not a folder of rounds with two sides', hint }]);
  }
  const candidate = { ...sideOf(found, 'candidate', target), interleaved: true };
  return { base: sideOf(found, 'base', found.rounds.targets.base), candidates: [candidate], folder: found.folder };
}

/**
 * Medians of what users wait for, and what goes wrong. Few, because every further metric weakens the others. Journeys tell what
 * has no time and no failure, such as those that were never started.
 */
export const usualMetrics: readonly string[] = [
  ...operationIds.map((operation) => `http_req_duration{operation:${operation},outcome:success}: med`),
  'turn_completion: med',
  'iterations{outcome:completed}: count',
  'turn_not_completed: rate',
  'http_req_failed: rate',
  'rate_limited: rate',
  'checks: rate',
];

/** Checks before a run that these metrics can be compared. @throws ConfigurationError */
export const checkMetrics = (words: readonly string[]): void => void metricsNamed(words);

/**
 * @param known values of tags
 * @throws ConfigurationError with everything that is wrong
 */
function metricsNamed(words: readonly string[], known: KnownTags = knownTags()): readonly ComparedMetric[] {
  const problems: ConfigProblem[] = [];
  const metrics = (words.length > 0 ? words : usualMetrics).flatMap((word) => {
    const split = splitGate(word);
    if (!split) {
      const hint = 'write for example "turn_completion: p(90)"';
      problems.push({ path: '--metric', message: `"${word}" is not of the form METRIC: AGGREGATION`, hint });
      return [];
    }
    const selector = parseSelector(split.name, known);
    const aggregation = parseAggregation(split.threshold);
    const faults = [
      ...('faults' in selector ? selector.faults : []),
      ...('faults' in aggregation ? aggregation.faults : []),
      ...('value' in selector && 'value' in aggregation
        ? aggregationFaults(selector.value.metric, aggregation.value)
        : []),
    ];
    problems.push(
      ...faults.map(({ message, hint }) => ({
        path: `--metric "${word}"`,
        message,
        ...(hint !== undefined && { hint }),
      })),
    );
    return 'value' in selector && 'value' in aggregation ? [comparedMetric(selector.value, aggregation.value)] : [];
  });
  if (problems.length > 0) throw new ConfigurationError(problems);
  // Named twice, a metric would count twice in the correction, and all of them would need more rounds.
  return [...new Map(metrics.map((metric) => [printCompared(metric), metric])).values()];
}

function comparedRun(journal: string, metrics: readonly ComparedMetric[]): ComparedRun {
  const series = new MetricSeries(metrics.map(({ selector }) => selector));
  for (const record of readJournalSync(journal)) series.add(record);
  const { limits, proven } = judgeJournal(journal);
  return {
    runId: series.facts().runId,
    values: metrics.map((metric, index) => comparedValue(metric, series.reading(index))),
    limits,
    proven,
  };
}

/** Of the usual metrics, those that any run has; of selected ones all, so that a missing one is reported. */
function withValues(
  metrics: readonly ComparedMetric[],
  sides: readonly (readonly ComparedRun[])[],
  chosen: boolean,
): readonly number[] {
  const has = (index: number) => sides.flat().some(({ values }) => values[index] !== undefined);
  return metrics.flatMap((_, index) => (chosen || has(index) ? [index] : []));
}
