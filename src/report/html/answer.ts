import { groupedBy } from '../../base/index.ts';
import type { Finding } from '../../check/index.ts';
import { hasOwnSpeed, type Summary } from '../../collect/index.ts';
import { type GateResult, gateShown } from '../../gates/index.ts';
import { exchangeName, formatCount, speedText } from '../formatters.ts';
import { incompleteText, isCutShort, lackText, NEVER_CHECKED } from '../incomplete.ts';
import { gatesBySeverity, type Judged } from '../judged.ts';
import { healthWarnings } from '../terminal/health-warnings.ts';
import { figures } from './figures.ts';
import { type Headline, headlineOf } from './headline.ts';
import { limitCards, limitCardsBefore, proofOf } from './limits.ts';
import { html, type Markup } from './markup.ts';
import { badge, folded, type Mood, metricName, table } from './parts.ts';
import { runDetails } from './run-details.ts';

/** Input of the answer section. */
interface Answer {
  readonly summary: Summary;
  /** Absent while a run is in progress, and if judging failed. */
  readonly judged: Judged | undefined;
  /** Why there are no verdicts; used if `judged` is absent. */
  readonly notJudged: string;
  /** Service seconds per run second. */
  readonly clockRate: number;
}

/** The first section of the report. */
export function answerSection({ summary, judged, notJudged, clockRate }: Answer): Markup {
  const gates = judged?.gates() ?? [];
  const headline: Headline =
    judged === undefined ? { mood: 'open', title: 'Not judged', lead: notJudged } : headlineOf(summary, judged, gates);
  const isRateBroken = judged?.document.limits.some(({ limit, verdict }) => limit === 'rate' && verdict === 'violated');
  return html`<p class="eyebrow ${headline.mood}">${badge(headline.mood, moodWords[headline.mood])}</p>
<h1>${headline.title}</h1><p class="lead">${headline.lead}</p>
${lackNotice(summary)}${clockSpeed(clockRate)}
${figures(summary, isRateBroken ?? false)}
<h2>Limits</h2>${judged === undefined ? limitCardsBefore(summary.limits, notJudged) : limitCards(judged.document, summary.limits, clockRate)}
${judged && wrongfulRefusals(judged, clockRate)}
${gates.length > 0 && gateTable(gates)}
${judged && findings(judged)}
${expectations(summary)}
${runDetails(summary)}
${judged && validity(summary, judged)}`;
}

const moodWords: Readonly<Record<Mood, string>> = {
  good: 'Passed',
  bad: 'Failed',
  open: 'Open',
  warn: 'Invalid',
};

/** A notice for a run whose history is incomplete or that was cut short, because it affects every number. */
function lackNotice(summary: Summary): Markup | undefined {
  const { run } = summary;
  if (run.complete) return undefined;
  if (isCutShort(run))
    return html`<p class="notice" role="note">${badge('warn', 'Cut short')} This run was ${lackText(summary)}. The numbers cover only what was sent until then.</p>`;
  return html`<p class="notice" role="note">${badge('warn', 'Incomplete')} The history of this run is incomplete (${incompleteText(run)}): the numbers cover only what was recorded.</p>`;
}

/** Explains which times are on which clock, if their speeds differ. */
const clockSpeed = (clockRate: number): Markup | undefined =>
  hasOwnSpeed(clockRate)
    ? html`<p class="intro">The service's clock ran ${speedText(clockRate)} as run time. Limits, windows, days and proofs are in the service's time; charts and latencies are in run time.</p>`
    : undefined;

const gateMoods = { pass: ['good', 'Pass'], fail: ['bad', 'Fail'], undetermined: ['open', 'Undetermined'] } as const;

function gateTable(gates: readonly GateResult[]): Markup {
  return html`<h2>Gates</h2>${table(
    'Gates and their results',
    [{ title: 'Gate' }, { title: 'Outcome' }, { title: 'Because', words: true }],
    gatesBySeverity(gates).map((gate) => [
      html`<code>${metricName(gateShown(gate))}</code>`,
      gateBadge(gate.state),
      gate.state === 'undetermined' && !gate.failsRun ? `${gate.because} (allowed)` : gate.because,
    ]),
  )}`;
}

function gateBadge(state: GateResult['state']): Markup {
  const [mood, word] = gateMoods[state];
  return badge(mood, word);
}

function wrongfulRefusals({ document: { refusals } }: Judged, clockRate: number): Markup | undefined {
  if (refusals.wrongful.length === 0) return undefined;
  return html`<h2>Wrongful refusals</h2><ul class="claims">${refusals.wrongful.map(
    ({ certificates }) =>
      html`<li>${certificates.map((certificate) => html`<p>${certificate.claim}.</p>${proofOf(certificate, clockRate)}`)}</li>`,
  )}</ul>`;
}

const bases = {
  specification: 'against the specification',
  profile: 'against the profile',
  observation: 'observation only, never fails a run',
} as const;

function findings({ document }: Judged): Markup | undefined {
  if (document.findings.length === 0 && document.accepted.length === 0) return undefined;
  const kinds = groupedBy(document.findings, ({ basis, kind }) => `${basis} ${kind}`);
  return html`<h2>Other findings</h2><ul class="claims">${[...kinds.values()].map(findingItem)}${document.accepted.map(
    ({ violation, claim, reason }) =>
      html`<li><p>${badge('open', violation)} <small>accepted by the profile: ${reason}</small></p><p>${claim}</p></li>`,
  )}</ul>`;
}

/** The findings of one kind and basis: the first in full, the others folded. */
function findingItem([first, ...others]: readonly [Finding, ...Finding[]]): Markup {
  const { kind, basis, claim, total = 1 + others.length } = first;
  const more = others.map((finding) => html`<li>${finding.claim}</li>`);
  return html`<li><p>${badge(basis === 'observation' ? 'open' : 'bad', kind)} <small>${bases[basis]}${total > 1 && `, ${formatCount(total)} times`}</small></p><p>${claim}</p>
${more.length > 0 && folded(`${formatCount(more.length)} more`, html`<ul class="claims">${more}</ul>`)}</li>`;
}

function expectations({ expectations: { checked, unmet, neverChecked, examples } }: Summary): Markup | undefined {
  if (neverChecked)
    return html`<h2>Expectations</h2><p>${badge('bad', 'Not checked')} The ${NEVER_CHECKED.slice('the '.length)}.</p>`;
  if (checked === 0) return undefined;
  const [all, some, were] =
    checked === 1
      ? ['The one expectation', 'The one expectation', 'was']
      : [
          `All ${formatCount(checked)} expectations`,
          `${formatCount(unmet)} of ${formatCount(checked)} expectations`,
          'were',
        ];
  if (unmet === 0)
    return html`<h2>Expectations</h2><p>${badge('good', 'Met')} ${all} of the scenario's steps ${were} met.</p>`;
  return html`<h2>Expectations</h2><p>${badge('bad', 'Not met')} ${some} of the scenario's steps ${were} not met.</p>
<ul class="claims">${examples.map((one) => html`<li>exchange ${exchangeName(one)}, ${one.operation}: ${one.sentence}</li>`)}</ul>${unmet > examples.length && html`<p>and ${formatCount(unmet - examples.length)} more</p>`}`;
}

/** Whether the journal has all that was sent: a run that was cut short lacks nothing but the rest of its plan. */
const isWhole = (run: Summary['run']): boolean => run.complete || (isCutShort(run) && run.inFlightAtEnd === 0);

/** Whether the run is valid, and the assumptions of the verdicts. */
function validity(summary: Summary, judged: Judged): Markup {
  const invalid = judged.invalidBecause(summary);
  const warnings = healthWarnings(summary);
  const { exclusive, complete, skipped } = judged.document.soundness;
  const skippedText = Object.entries(skipped).map(([what, count]) => `${formatCount(count)} × ${what}`);
  return html`<h2>Is this run valid?</h2>
<p>${invalid === undefined ? html`${badge(warnings.length > 0 ? 'warn' : 'good', warnings.length > 0 ? 'Yes, with warnings' : 'Yes')} ${isWhole(summary.run) && 'Everything that was sent is recorded.'}` : html`${badge('bad', 'No')} ${invalid}.`}</p>
${warnings.length > 0 && html`<ul class="claims">${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>`}
${folded(
  'Evidence behind the verdicts',
  html`<ul><li>${exclusive ? 'Nobody else used the credentials.' : 'Others may have used the credentials: no refusal is proven wrongful.'}</li>
<li>${complete ? 'Every request that was sent is in the journal.' : 'Requests may be missing from the journal: no refusal is proven wrongful.'}</li>
${skippedText.length > 0 && html`<li>Not used as evidence: ${skippedText.join(', ')}.</li>`}</ul>`,
)}`;
}
