import { formatDuration } from '../../base/index.ts';
import type { LimitVerdict } from '../../check/index.ts';
import { failuresIn } from '../../collect/index.ts';
import { demandShown, type GateResult, type GatesDocument } from '../../gates/index.ts';
import { exchangeName, formatCount, formatShare, plural, speedText } from '../formatters.ts';
import { gatesBySeverity } from '../judged.ts';
import { healthWarnings } from '../terminal/health-warnings.ts';
import { journeysParts } from '../terminal/summary-sections.ts';
import { headlineOf, signOf } from './headline.ts';
import { latencySection, stagesSection } from './markdown-latency.ts';
import { code, prose, table } from './markdown-text.ts';
import type { JudgedRun, Output } from './output.ts';

/** Maximum number of gates; `gates.json` has all. */
const GATES_SHOWN = 50;

const marks = { pass: '✅', fail: '❌', undetermined: '❔' } as const;

function gateRow(gate: GateResult): string[] {
  const { metric, state, because, failsRun } = gate;
  const stateText = state === 'undetermined' && !failsRun ? 'undetermined (allowed)' : state;
  return [`${marks[state]} ${stateText}`, code(metric), code(demandShown(gate)), prose(because)];
}

/** The results of gates. @param of prefix of the title, for example the side */
export function gatesSection(gates: GatesDocument, of = ''): string[] {
  const { round } = gates;
  const together = round ? ['Gates are judged over all rounds together: see the page of the rounds.', ''] : [];
  if (gates.gates.length === 0) return together;
  const shown = gatesBySeverity(gates.gates).slice(0, GATES_SHOWN);
  const more = gates.gates.length - shown.length;
  return [
    `### ${of}Gates`,
    '',
    ...table(['', 'metric', 'gate', 'because'], shown.map(gateRow)),
    ...(more > 0 ? ['', `and ${plural(more, 'more gate')}`] : []),
    ...(gates.runs.length > 1 ? ['', `Judged over ${gates.runs.length} runs together.`] : []),
    '',
    ...together,
  ];
}

function limitRow(limit: LimitVerdict, { accepted }: JudgedRun['verdicts']): string[] {
  switch (limit.verdict) {
    case 'consistent':
      return ['✅ consistent', code(limit.limit), 'reached, and nothing that was admitted or refused contradicts it'];
    case 'undecided':
      return ['❔ undecided', code(limit.limit), prose(`missing: ${limit.missing.join('; ')}`)];
    case 'violated': {
      const reason = accepted.find(({ violation }) => violation === limit.limit)?.reason;
      const claim = prose(limit.certificate.claim);
      return reason === undefined
        ? ['❌ violated', code(limit.limit), claim]
        : ['☑️ violated, accepted', code(limit.limit), `${claim}; accepted: ${prose(reason)}`];
    }
  }
}

function limitsSection({ verdicts, summary }: JudgedRun): string[] {
  const limits = verdicts.limits.map((limit) => limitRow(limit, verdicts));
  const others = verdicts.proven.filter(({ violation }) => verdicts.limits.every(({ limit }) => limit !== violation));
  const findings = others.map(({ violation, claim }) => ['❌ proven', code(violation), prose(claim)]);
  const { clockRate } = summary.run;
  const clock =
    clockRate === undefined
      ? []
      : [`Times of limits and proofs are on the service's clock, ${speedText(clockRate)} as the run's.`, ''];
  return ['### Limits', '', ...table(['', 'limit', 'because'], [...limits, ...findings]), '', ...clock];
}

function expectationsSection({ summary: { expectations } }: JudgedRun): string[] {
  if (expectations.unmet === 0) return [];
  const rows = expectations.examples.map((one) => [exchangeName(one), code(one.operation), code(one.sentence)]);
  const more = expectations.unmet - expectations.examples.length;
  return [
    '### Expectations that were not met',
    '',
    ...table(['exchange', 'operation', 'expectation'], rows),
    ...(more > 0 ? ['', `and ${formatCount(more)} more`] : []),
    '',
  ];
}

function factsLine({ summary: { run, refusals, total } }: JudgedRun): string {
  const measured = run.warmUp.exchanges > 0 ? `the ${formatCount(total.count)} after the warm-up` : 'them';
  const refused = `${formatCount(refusals.total)} of ${measured} refused (${formatShare(refusals.total, total.count)})`;
  const wrong = failuresIn(total);
  const errors = wrong === 0 ? '' : `, ${plural(wrong, 'error')} (${formatShare(wrong, total.count)})`;
  const target = run.target === undefined ? '' : ` against ${code(run.target)}`;
  const address = run.address === undefined ? '' : ` at ${code(run.address)}`;
  return `${code(run.scenario)}${target}${address}: ${formatDuration(run.durationUs)}, ${plural(run.arrivals, 'arrival')}, ${plural(run.exchanges, 'exchange')}, ${refused}${errors}, seed ${run.seed}.`;
}

/** Renders a run as one page of Markdown. */
export function renderMarkdown(run: JudgedRun): string {
  const headline = headlineOf(run);
  const journeys = journeysParts(run.summary);
  const warnings = healthWarnings(run.summary);
  const lines = [
    `## ${signOf(headline)} Spillway: ${headline.because.map(prose).join('; ')}`,
    '',
    factsLine(run),
    '',
    ...(journeys.length === 0 ? [] : [`Journeys: ${journeys.map(prose).join(', ')}.`, '']),
    ...limitsSection(run),
    ...gatesSection(run.gates),
    ...expectationsSection(run),
    ...stagesSection(run),
    ...latencySection(run),
    ...(warnings.length > 0 ? ['### Warnings', '', ...warnings.map((warning) => `- ${prose(warning)}`)] : []),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

export const summaryMarkdown: Output = {
  file: 'summary.md',
  holds: 'the run on one page of Markdown, for a pull request',
  render: renderMarkdown,
};
