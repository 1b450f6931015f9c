import type { CandidateComparison, Comparison, ComparisonVerdict, MetricComparison } from '../../gates/index.ts';
import { differenceText, estimateText, valueText } from '../../gates/index.ts';
import { capital, plural } from '../formatters.ts';
import {
  isOpen,
  leftOutText,
  mediansText,
  NOT_INTERLEAVED,
  slackText,
  TYPICAL,
  tooFewText,
  untoldApart,
} from '../terminal/comparison.ts';
import { code, prose, table } from './markdown-text.ts';

const marks: Readonly<Record<ComparisonVerdict, string>> = {
  worse: '❌',
  better: '🟢',
  same: '✅',
  'cannot tell': '❔',
};

function metricRow(one: MetricComparison): string[] {
  const { verdict, metric, unit, base, candidate, interval } = one;
  const value = (median: number | undefined) => (median === undefined ? '–' : valueText(median, unit));
  const between = interval && `${differenceText(interval.low, unit)} to ${differenceText(interval.high, unit)}`;
  return [
    `${marks[verdict]} ${verdict}`,
    code(metric),
    value(base),
    value(candidate),
    estimateText(one) ?? '–',
    between ?? '–',
  ];
}

/** The metrics, limits and proven findings of one candidate. */
export function candidateSection(candidate: CandidateComparison): string[] {
  const { name, runs, interleaved, differs, metrics, limits, findings, regressed } = candidate;
  const { told, untold } = untoldApart(metrics);
  return [
    `### ${regressed ? '❌' : isOpen({ regressed, candidates: [candidate] }) ? '❔' : '✅'} ${code(name)}`,
    '',
    `${plural(runs.length, interleaved ? 'round' : 'run')}, ${interleaved ? 'interleaved with the base' : NOT_INTERLEAVED}${leftOutText(candidate)}${differs.length === 0 ? '' : `; differing ${differs.join(', ')} allowed`}.`,
    '',
    ...(told.length === 0
      ? []
      : [...table(['', 'metric', 'base', 'candidate', 'difference', '95 % interval'], told.map(metricRow)), '']),
    ...untold.flatMap((one) => [
      `${marks['cannot tell']} cannot tell, ${one.why}: ${one.metrics.map((metric) => `${code(metric.metric)}${mediansText(metric)}`).join(', ')}.`,
      '',
    ]),
    ...table(
      ['', 'limit', 'because'],
      limits.map(({ verdict, limit, because }) => [`${marks[verdict]} ${verdict}`, code(limit), prose(because)]),
    ),
    '',
    ...(findings.length === 0
      ? []
      : [
          ...table(
            ['', 'finding', 'because'],
            findings.map(({ verdict, finding, because }) => [
              `${marks[verdict]} ${verdict}`,
              code(finding),
              prose(because),
            ]),
          ),
          '',
        ]),
  ];
}

/** Renders a comparison as one page of Markdown. */
export function renderComparisonMarkdown(comparison: Comparison): string {
  const { base, candidates, regressed, slack } = comparison;
  const tooFew = tooFewText(comparison);
  const lines = [
    `## ${regressed ? '❌ Worse than' : `${isOpen(comparison) ? '❔' : '✅'} No regression is shown against`} ${code(base.name)}`,
    '',
    ...(tooFew === undefined ? [] : [`${capital(tooFew)}.`, '']),
    ...candidates.flatMap(candidateSection),
    `Better and worse: significant at 5 % for all metrics together (signed-rank or rank-sum test over rounds, Holm's correction), and by more than the slack: ${slackText(slack)}. Same: the whole interval is within the slack. Values are medians over the rounds; a difference is ${TYPICAL}.`,
  ];
  return `${lines.join('\n')}\n`;
}
