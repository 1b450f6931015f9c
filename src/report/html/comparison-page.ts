import {
  type CandidateComparison,
  type Comparison,
  type ComparisonVerdict,
  differenceText,
  type MetricComparison,
  valueText,
} from '../../gates/index.ts';
import { plural } from '../formatters.ts';
import { leftOutText, TYPICAL, tooFewText } from '../terminal/comparison.ts';
import { pageText } from './document.ts';
import { html, type Markup } from './markup.ts';
import { badge, type Mood, metricName, table } from './parts.ts';
import { differenceLegend, differencePicture } from './pictures/differences.ts';

/** `comparison.html`: the answer first, then each candidate beside the base, drawn and in numbers. */
export function comparisonPage(given: Comparison): string {
  const comparison = toldApart(given);
  const { base, candidates, regressed } = comparison;
  const sections = candidates.map((candidate, index) => ({ candidate, id: `candidate-${index + 1}` }));
  return pageText({
    title: `${regressed ? 'Worse' : 'Not worse'} than ${base.name} · Spillway comparison`,
    header: html`<p class="run"><b>${base.name}</b> <span>and ${plural(candidates.length, 'candidate')}</span></p>`,
    contents: [
      { id: 'answer', title: 'Answer' },
      ...sections.map(({ candidate, id }) => ({ id, title: candidate.name })),
    ],
    main: html`<section id="answer">${answer(comparison)}</section>
${sections.map(({ candidate, id }) => candidateSection(candidate, id, comparison))}`,
    footer: html`<p>Made from the journals of these runs. <code>spillway compare</code> makes it again.</p>`,
    data: null,
  });
}

/** Two rounds of one target have one name: then each says which side it is. */
function toldApart(comparison: Comparison): Comparison {
  const { base, candidates } = comparison;
  if (candidates.every(({ name }) => name !== base.name)) return comparison;
  return {
    ...comparison,
    base: { ...base, name: `${base.name} (base)` },
    candidates: candidates.map((one) => (one.name === base.name ? { ...one, name: `${one.name} (candidate)` } : one)),
  };
}

function answer(comparison: Comparison): Markup {
  const { base, candidates, regressed, slack } = comparison;
  const tooFew = tooFewText(comparison);
  const verdicts = candidates.flatMap(({ metrics, limits }) => [...limits, ...metrics]);
  const told = verdicts.filter(({ verdict }) => verdict !== 'cannot tell');
  const mood: Mood = regressed ? 'bad' : told.length === 0 || tooFew !== undefined ? 'open' : 'good';
  const several = candidates.length > 1;
  const worse = candidates.filter((one) => one.regressed);
  const title = regressed
    ? `${several ? `${worse.map(({ name }) => name).join(', ')}: worse` : 'Worse'} than ${base.name}`
    : told.length === 0
      ? 'These rounds cannot tell'
      : `No regression is shown against ${base.name}`;
  const [first] = verdicts.filter(({ verdict }) => verdict === 'worse');
  const subject = first && ('metric' in first ? first.metric : `limit ${first.limit}`);
  const count = (verdict: ComparisonVerdict) => verdicts.filter((one) => one.verdict === verdict).length;
  return html`<p class="eyebrow ${mood}">${badge(mood, { good: 'Passed', bad: 'Failed', open: 'Open', warn: 'Open' }[mood])}</p>
<h1>${title}</h1><p class="lead">${first ? `${several ? `${worse[0]?.name}: ` : ''}${subject}: ${first.because}.` : `${count('better')} better, ${count('same')} the same, ${count('cannot tell')} that cannot be told${tooFew === undefined ? '' : `; ${tooFew}`}.`}</p>
<p class="intro">Better and worse are significant at 5 % for all that is compared together (signed-rank or rank-sum test over rounds, Holm's correction), and beyond the slack: ${percent(slack.relative)} and ${slack.absoluteMs} ms of times, ${percent(slack.relative)} of counts, ${percent(slack.absoluteShare)} of all for shares. Same: the whole interval lies within it.</p>`;
}

const percent = (share: number): string => `${Number((100 * share).toPrecision(3))} %`;

function candidateSection(candidate: CandidateComparison, id: string, { base, slack }: Comparison): Markup {
  const { name, runs, interleaved, differs, metrics, limits } = candidate;
  const how = interleaved
    ? 'interleaved with the base, so that changes of the machine affect both sides'
    : 'not interleaved: the difference includes changes of the machine between the runs';
  const drawn = metrics.filter(({ difference }) => difference !== undefined);
  return html`<section id="${id}"><h2>${name}</h2>
<p class="intro">${plural(runs.length, interleaved ? 'round' : 'run')} beside ${plural(base.runs.length, 'run')} of ${base.name}, ${how}${leftOutText(candidate)}.${differs.length > 0 && ` Allowed to differ: ${differs.join(', ')}.`}</p>
${drawn.length > 0 && html`<figure>${differenceLegend()}${differencePicture(drawn, slack)}<figcaption>The difference, candidate less base: to the right it takes longer, or happens more often. It is ${TYPICAL}.</figcaption></figure>`}
${metricTable(metrics)}
${table(
  'Limits',
  [{ title: 'Limit' }, { title: 'Verdict' }, { title: 'Because', words: true }],
  [...limits].sort(bySeverity).map(({ limit, verdict, because }) => [limit, verdictBadge(verdict), because]),
)}</section>
`;
}

/** The numbers; a sentence only where they do not decide by themselves. */
function metricTable(metrics: readonly MetricComparison[]): Markup {
  const areReasons = metrics.some(isUntold);
  const because = areReasons ? [{ title: 'Because', words: true }] : [];
  const rows = [...metrics]
    .sort(bySeverity)
    .map((row) => [...metricRow(row), ...(areReasons ? [isUntold(row) ? whyOf(row.because) : undefined] : [])]);
  return table('Metrics', [...columns, ...because], rows);
}

const isUntold = ({ verdict }: MetricComparison): boolean => verdict === 'cannot tell';

const columns = [
  { title: 'Metric' },
  { title: 'Verdict' },
  ...['Base', 'Candidate', 'Difference', '95 % interval'].map((title) => ({ title, align: 'right' }) as const),
];

function metricRow(row: MetricComparison) {
  const { metric, verdict, unit, base, candidate, difference, interval } = row;
  return [
    html`<code>${metricName(metric)}</code>`,
    verdictBadge(verdict),
    base === undefined ? undefined : valueText(base, unit),
    candidate === undefined ? undefined : valueText(candidate, unit),
    difference && differenceText(difference, unit),
    interval && html`${differenceText(interval.low, unit)}<br>to ${differenceText(interval.high, unit)}`,
  ];
}

/** What its sentence says beside the numbers, which stand in columns of their own. */
const whyOf = (because: string): string => because.replace(/^.* in \d+(?: and \d+)? rounds?: /, '');

const severity: Readonly<Record<ComparisonVerdict, number>> = { worse: 0, better: 1, 'cannot tell': 2, same: 3 };
const bySeverity = (a: { readonly verdict: ComparisonVerdict }, b: { readonly verdict: ComparisonVerdict }): number =>
  severity[a.verdict] - severity[b.verdict];

const moods: Readonly<Record<ComparisonVerdict, Mood>> = {
  worse: 'bad',
  better: 'good',
  same: 'good',
  'cannot tell': 'open',
};
const verdictBadge = (verdict: ComparisonVerdict): Markup => badge(moods[verdict], verdict);
