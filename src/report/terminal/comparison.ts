import { inertText } from '../../base/index.ts';
import {
  type CandidateComparison,
  type Comparison,
  type ComparisonVerdict,
  type MetricComparison,
  pointsText,
  valueText,
} from '../../gates/index.ts';
import { plural } from '../formatters.ts';
import { besideWrapped, type Colors, type Look, type LookOptions, lookOf, wrapped } from './layout.ts';

/** What a difference is; explains why it is not that of the two values next to it. */
export const TYPICAL =
  'the Hodges–Lehmann estimate of round against round, not the difference of the medians, and may have another sign';

/** What it means for a comparison that its runs were not interleaved. */
export const NOT_INTERLEAVED = 'not interleaved: the difference includes changes of the machine between the runs';

/** ` (2 rounds left out: invalid)`, or empty. */
export const leftOutText = ({ leftOut = 0 }: { readonly leftOut?: number }): string =>
  leftOut === 0 ? '' : ` (${plural(leftOut, 'round')} left out: invalid)`;

/** A note that there are too few rounds to show a difference; `undefined` if there are enough, or if something is worse. */
export function tooFewText({
  regressed,
  candidates,
}: Pick<Comparison, 'regressed' | 'candidates'>): string | undefined {
  const needed = candidates.flatMap(({ metrics }) =>
    metrics.flatMap((one) => (one.verdict === 'cannot tell' && one.needed !== undefined ? [one.needed] : [])),
  );
  if (regressed || needed.length === 0) return undefined;
  return `too few rounds to show a difference in ${plural(needed.length, 'metric')}: at least ${Math.max(...needed)} are needed`;
}

/** Whether nothing is worse, but too little could be told to call that a result. */
export function isOpen(comparison: Pick<Comparison, 'regressed' | 'candidates'>): boolean {
  if (comparison.regressed) return false;
  const told = comparison.candidates.flatMap(({ metrics, limits }) => [...metrics, ...limits]);
  return tooFewText(comparison) !== undefined || told.every(({ verdict }) => verdict === 'cannot tell');
}

/** `5 % and 1 ms for times, 5 % for counts, 1 point for shares`. */
export function slackText({ relative, absoluteMs, absoluteShare }: Comparison['slack']): string {
  const percent = `${Number((100 * relative).toPrecision(3))} %`;
  return `${percent} and ${absoluteMs} ms for times, ${percent} for counts, ${pointsText(absoluteShare)} for shares`;
}

const SENTENCE = 300;
/** Characters of the names of several metrics. */
const METRICS = 4_000;
const severity: Readonly<Record<ComparisonVerdict, number>> = { worse: 0, better: 1, 'cannot tell': 2, same: 3 };

interface Compared {
  readonly verdict: ComparisonVerdict;
}

/** Order of metrics and limits: worse ones first. */
export const bySeverity = (a: Compared, b: Compared): number => severity[a.verdict] - severity[b.verdict];

/** Metrics that nothing can be told of, for one reason. */
interface Untold {
  readonly metrics: readonly MetricComparison[];
  readonly why: string;
}

/**
 * Sets the metrics apart that too few rounds or samples leave open. Each with its own sentence and its own difference, they would be
 * read as results.
 */
export function untoldApart(metrics: readonly MetricComparison[]): {
  readonly told: readonly MetricComparison[];
  readonly untold: readonly Untold[];
} {
  const open = metrics.filter(({ verdict }) => verdict === 'cannot tell');
  const short = open.filter(({ needed }) => needed !== undefined);
  const empty = open.filter(({ difference }) => difference === undefined);
  const needed = Math.max(...short.map((one) => one.needed ?? 0));
  const untold = [
    { metrics: short, why: `too few rounds to show a difference: at least ${needed} are needed` },
    { metrics: empty, why: 'no round of both has enough samples' },
  ];
  return {
    told: metrics.filter((one) => !short.includes(one) && !empty.includes(one)),
    untold: untold.filter((one) => one.metrics.length > 0),
  };
}

/** ` (50.2 ms, 51 ms)`: the medians of base and candidate; empty without. */
export const mediansText = ({ base, candidate, unit }: MetricComparison): string =>
  base === undefined || candidate === undefined ? '' : ` (${valueText(base, unit)}, ${valueText(candidate, unit)})`;

/** Renders a comparison, sorted by verdict, worse first. Ends with a newline. */
export function renderComparison(comparison: Comparison, options: LookOptions = {}): string {
  const look = lookOf(options);
  const { slack, base } = comparison;
  const tooFew = tooFewText(comparison);
  const lines = [
    ...comparison.candidates.flatMap((candidate) => candidateLines(candidate, comparison, look)),
    ...wrapped(
      [
        `base: ${inertText(base.name, 200)}, ${plural(base.runs.length, 'run')}${leftOutText(base)}; slack: ${slackText(slack)}`,
        `values are medians over the rounds; a difference is ${TYPICAL}`,
      ],
      look.columns,
    ),
    ...(comparison.regressed
      ? [look.colors.red('worse')]
      : wrapped([`no regression is shown${tooFew === undefined ? '' : `; ${tooFew}`}`], look.columns)),
  ];
  return `${lines.join('\n')}\n`;
}

function candidateLines(candidate: CandidateComparison, { base }: Comparison, { columns, colors }: Look): string[] {
  const { name, runs, interleaved, differs, metrics, limits, findings } = candidate;
  const how = interleaved
    ? `${plural(runs.length, 'round')}, interleaved`
    : `${plural(runs.length, 'run')}, ${NOT_INTERLEAVED}`;
  const allowed = differs.length === 0 ? '' : `; differing ${differs.join(', ')} allowed`;
  const { told, untold } = untoldApart(metrics);
  const rows = [
    ...limits.map(({ limit, verdict, because }) => ({ verdict, what: `limit ${limit}`, because })),
    ...findings.map(({ finding, verdict, because }) => ({ verdict, what: finding, because })),
    ...told.map(({ metric, verdict, because }) => ({ verdict, what: metric, because })),
    ...untold.map((one) => ({
      verdict: 'cannot tell' as const,
      what: one.metrics.map((metric) => `${inertText(metric.metric, 160)}${mediansText(metric)}`).join('; '),
      because: one.why,
    })),
  ].sort(bySeverity);
  const cells = rows.flatMap(({ verdict, what, because }): [string, string][] => [
    [coloured(verdict, colors), inertText(what, METRICS)],
    ['', inertText(because, SENTENCE)],
  ]);
  return [
    `${inertText(name, 200)} compared with ${inertText(base.name, 200)}: ${how}${leftOutText(candidate)}${allowed}`,
    ...besideWrapped(cells, 12, columns),
    '',
  ];
}

function coloured(verdict: ComparisonVerdict, colors: Colors): string {
  if (verdict === 'worse') return colors.red(verdict);
  if (verdict === 'better') return colors.green(verdict);
  return verdict === 'same' ? verdict : colors.yellow(verdict);
}
