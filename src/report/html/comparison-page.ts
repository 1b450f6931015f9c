import {
  type CandidateComparison,
  type Comparison,
  type ComparisonVerdict,
  differenceText,
  estimateText,
  type FindingComparison,
  type LimitComparison,
  type MetricComparison,
  valueText,
} from '../../gates/index.ts';
import { plural } from '../formatters.ts';
import {
  bySeverity,
  isOpen,
  leftOutText,
  NOT_INTERLEAVED,
  slackText,
  TYPICAL,
  tooFewText,
} from '../terminal/comparison.ts';
import { pageText } from './document.ts';
import { html, type Markup } from './markup.ts';
import { addressText, badge, type Mood, metricName, table } from './parts.ts';
import { differenceLegend, differencePicture } from './pictures/differences.ts';

/** The text of `comparison.html`: the result, then a chart and tables for each candidate. */
export function comparisonPage(given: Comparison): string {
  const comparison = withDistinctNames(given);
  const { base, candidates } = comparison;
  const sections = candidates.map((candidate, index) => ({ candidate, id: `candidate-${index + 1}` }));
  return pageText({
    title: `${titleOf(comparison)} · Spillway comparison`,
    header: html`<p class="run"><b>${base.name}</b> <span>and ${plural(candidates.length, 'candidate')}</span></p>`,
    contents: [
      { id: 'answer', title: 'Answer' },
      ...sections.map(({ candidate, id }) => ({ id, title: candidate.name })),
    ],
    main: html`<section id="answer">${answer(comparison)}</section>
${sections.map(({ candidate, id }) => candidateSection(candidate, id, comparison))}`,
    footer: html`<p>Made from the journals of these runs. <code>spillway compare</code> recreates it.</p>`,
    data: null,
  });
}

/** If base and candidate have the same name (two rounds of one target), adds the side to each name. */
function withDistinctNames(comparison: Comparison): Comparison {
  const { base, candidates } = comparison;
  if (candidates.every(({ name }) => name !== base.name)) return comparison;
  return {
    ...comparison,
    base: { ...base, name: `${base.name} (base)` },
    candidates: candidates.map((one) => (one.name === base.name ? { ...one, name: `${one.name} (candidate)` } : one)),
  };
}

const verdictsOf = ({ candidates }: Comparison): readonly (MetricComparison | LimitComparison | FindingComparison)[] =>
  candidates.flatMap(({ metrics, limits, findings }) => [...limits, ...findings, ...metrics]);

/** The result as the heading of the page, and as the title of its window. */
function titleOf(comparison: Comparison): string {
  const { base, candidates, regressed } = comparison;
  if (regressed) {
    const worse = candidates.filter((one) => one.regressed).map(({ name }) => name);
    return `${candidates.length > 1 ? `${worse.join(', ')}: worse` : 'Worse'} than ${base.name}`;
  }
  return verdictsOf(comparison).every(({ verdict }) => verdict === 'cannot tell')
    ? 'These rounds are inconclusive'
    : `No regression is shown against ${base.name}`;
}

function answer(comparison: Comparison): Markup {
  const { candidates, regressed, slack } = comparison;
  const tooFew = tooFewText(comparison);
  const verdicts = verdictsOf(comparison);
  const mood: Mood = regressed ? 'bad' : isOpen(comparison) ? 'open' : 'good';
  const several = candidates.length > 1;
  const [first] = verdicts.filter(({ verdict }) => verdict === 'worse');
  const subject = first && subjectOf(first);
  const count = (verdict: ComparisonVerdict) => verdicts.filter((one) => one.verdict === verdict).length;
  return html`<p class="eyebrow ${mood}">${badge(mood, { good: 'Passed', bad: 'Failed', open: 'Open', warn: 'Open' }[mood])}</p>
<h1>${addressText(titleOf(comparison))}</h1><p class="lead">${first ? `${several ? `${candidates.find((one) => one.regressed)?.name}: ` : ''}${subject}: ${first.because}.` : `${count('better')} better, ${count('same')} the same, ${count('cannot tell')} inconclusive${tooFew === undefined ? '' : `; ${tooFew}`}.`}</p>
<p class="intro">Better and worse: significant at 5 % for the whole comparison (signed-rank or rank-sum test over rounds, Holm's correction), and beyond the slack, which is ${slackText(slack)}. Same: the whole interval is within the slack.</p>`;
}

function subjectOf(told: MetricComparison | LimitComparison | FindingComparison): string {
  if ('metric' in told) return told.metric;
  return 'limit' in told ? `limit ${told.limit}` : told.finding;
}

function candidateSection(candidate: CandidateComparison, id: string, { base, slack }: Comparison): Markup {
  const { name, runs, interleaved, differs, metrics, limits, findings } = candidate;
  const how = interleaved
    ? 'interleaved with the base, so that changes of the machine affect both sides'
    : NOT_INTERLEAVED;
  const drawn = metrics.filter(({ difference }) => difference !== undefined);
  return html`<section id="${id}"><h2>${addressText(name)}</h2>
<p class="intro">${plural(runs.length, interleaved ? 'round' : 'run')} compared with ${plural(base.runs.length, 'run')} of ${addressText(base.name)}, ${how}${leftOutText(candidate)}.${differs.length > 0 && ` Allowed to differ: ${differs.join(', ')}.`}</p>
${drawn.length > 0 && html`<figure>${differenceLegend()}${differencePicture(drawn, slack)}<figcaption>Candidate minus base: to the right, it takes longer or happens more often. The difference is ${TYPICAL}.</figcaption></figure>`}
${metricTable(metrics)}
${table(
  'Limits',
  [{ title: 'Limit' }, { title: 'Verdict' }, { title: 'Because', words: true }],
  limits.toSorted(bySeverity).map(({ limit, verdict, because }) => [limit, verdictBadge(verdict), because]),
)}
${
  findings.length > 0 &&
  table(
    'Findings',
    [{ title: 'Finding' }, { title: 'Verdict' }, { title: 'Because', words: true }],
    findings.toSorted(bySeverity).map(({ finding, verdict, because }) => [finding, verdictBadge(verdict), because]),
  )
}</section>
`;
}

/** The table of metrics; reasons are given only for inconclusive ones. */
function metricTable(metrics: readonly MetricComparison[]): Markup {
  const hasReasons = metrics.some(isInconclusive);
  const because = hasReasons ? [{ title: 'Because', words: true }] : [];
  const rows = metrics
    .toSorted(bySeverity)
    .map((row) => [
      ...metricRow(row),
      ...(hasReasons ? [isInconclusive(row) ? reasonOf(row.because) : undefined] : []),
    ]);
  return table('Metrics', [...columns, ...because], rows);
}

const isInconclusive = ({ verdict }: MetricComparison): boolean => verdict === 'cannot tell';

const columns = [
  { title: 'Metric' },
  { title: 'Verdict' },
  ...['Base', 'Candidate', 'Difference', '95 % interval'].map((title) => ({ title, align: 'right' }) as const),
];

function metricRow(row: MetricComparison) {
  const { metric, verdict, unit, base, candidate, interval } = row;
  return [
    html`<code>${metricName(metric)}</code>`,
    verdictBadge(verdict),
    base === undefined ? undefined : valueText(base, unit),
    candidate === undefined ? undefined : valueText(candidate, unit),
    estimateText(row),
    interval && html`${differenceText(interval.low, unit)}<br>to ${differenceText(interval.high, unit)}`,
  ];
}

/** The reason without the numbers, which have their own columns. */
const reasonOf = (because: string): string => because.replace(/^.* in \d+(?: and \d+)? rounds?: /, '');

const moods: Readonly<Record<ComparisonVerdict, Mood>> = {
  worse: 'bad',
  better: 'good',
  same: 'good',
  'cannot tell': 'open',
};
const verdictBadge = (verdict: ComparisonVerdict): Markup => badge(moods[verdict], verdict);
