import { limitNames } from '../../api/index.ts';
import type { LimitVerdict } from '../../check/index.ts';
import type { Summary } from '../../collect/index.ts';
import { formatCount, formatShare, formatShortDuration, plural } from '../formatters.ts';
import type { GateShown, Judged } from '../judged.ts';
import { healthWarnings } from '../terminal/health-warnings.ts';
import { percentileText } from '../terminal/latency-table.ts';
import { limitCards, limitCardsBefore, limitWords, proofOf } from './limits.ts';
import { html, type Markup } from './markup.ts';
import { badge, folded, type Mood, table } from './parts.ts';

/** The answer in a sentence, and what it rests on in another. */
export interface Headline {
  readonly title: string;
  readonly lead: string;
  readonly mood: Mood;
}

/** What a reader must know first: proof, then failed gates and an unusable run, then what was kept. */
export function headlineOf(summary: Summary, judged: Judged): Headline {
  const { document, gates = [] } = judged;
  const invalid = judged.invalidBecause?.(summary);
  const [first, ...more] = document.proven;
  if (first) {
    const others = more.length > 0 ? ` ${plural(more.length, 'more violation')} proven below.` : '';
    return { mood: 'bad', title: brokenTitle(first.violation), lead: `${first.claim}.${others}` };
  }
  if (invalid !== undefined)
    return {
      mood: 'warn',
      title: 'This run says little',
      lead: `Its numbers are not to be used: ${invalid}. Nothing is proven against the service.`,
    };
  const failed = gates.filter(({ outcome }) => outcome !== 'pass').length + (summary.expectations.unmet > 0 ? 1 : 0);
  if (failed > 0)
    return {
      mood: 'bad',
      title: failedTitle(gates, summary),
      lead: `Nothing is proven against the service. ${keptText(document.limits)}`,
    };
  if (document.limits.every(({ verdict }) => verdict === 'consistent'))
    return {
      mood: 'good',
      title: 'Every limit was reached and held',
      lead: `What the service admitted and what it refused is what its limits promise.${acceptedText(judged)}`,
    };
  const held = document.limits.filter(({ verdict }) => verdict === 'consistent').length;
  return {
    mood: held > 0 ? 'good' : 'open',
    title: 'Nothing is proven against the service',
    lead: `${keptText(document.limits)}${acceptedText(judged)}`,
  };
}

function brokenTitle(violation: string): string {
  const limit = limitNames.find((name) => name === violation);
  if (limit) return `The service broke its ${limitWords[limit].short}`;
  return violation === 'wrongful-refusal'
    ? 'The service refused what it had to admit'
    : `The service misbehaved: ${violation.replaceAll('-', ' ')}`;
}

function failedTitle(gates: readonly GateShown[], { expectations }: Summary): string {
  const failed = gates.filter(({ outcome }) => outcome === 'fail').length;
  const open = gates.filter(({ outcome }) => outcome === 'undetermined').length;
  const parts = [
    ...(failed > 0 ? [`${plural(failed, 'gate')} failed`] : []),
    ...(open > 0 ? [`${plural(open, 'gate')} could not be decided`] : []),
    ...(expectations.unmet > 0 ? [`${plural(expectations.unmet, 'expectation')} not met`] : []),
  ];
  return parts.join(', ');
}

function keptText(limits: readonly LimitVerdict[]): string {
  const named = (verdict: LimitVerdict['verdict']) =>
    limits.filter((limit) => limit.verdict === verdict).map(({ limit }) => limitWords[limit].short);
  const [held, open] = [named('consistent'), named('undecided')];
  return [
    ...(held.length > 0 ? [`Reached and held: ${held.join(', ')}.`] : []),
    ...(open.length > 0 ? [`Undecided: ${open.join(', ')}.`] : []),
  ].join(' ');
}

function acceptedText({ document: { accepted } }: Judged): string {
  return accepted.length === 0 ? '' : ` ${plural(accepted.length, 'proven violation')} accepted by the profile.`;
}

/** The first section of the report. `judged` is absent while a run goes on, and where judging failed. */
export function answerSection(summary: Summary, judged: Judged | undefined, notJudged: string): Markup {
  const headline: Headline =
    judged === undefined ? { mood: 'open', title: 'Not judged', lead: notJudged } : headlineOf(summary, judged);
  return html`<p class="eyebrow ${headline.mood}">${badge(headline.mood, moodWords[headline.mood])}</p>
<h1>${headline.title}</h1><p class="lead">${headline.lead}</p>
${incompleteNotice(summary)}
${numbers(summary)}
<h2>Limits</h2>${judged === undefined ? limitCardsBefore(summary.limits, notJudged) : limitCards(judged.document, summary.limits)}
${judged && wrongfulRefusals(judged)}
${judged?.gates && gateTable(judged.gates)}
${judged && findings(judged)}
${expectations(summary)}
${judged && validity(summary, judged)}`;
}

const moodWords: Readonly<Record<Mood, string>> = {
  good: 'Passed',
  bad: 'Failed',
  open: 'Open',
  warn: 'Invalid',
};

/** A run without its last line, or one that was cut short: the first thing to know about every number. */
const incompleteNotice = ({ run }: Summary): Markup | undefined =>
  run.complete
    ? undefined
    : html`<p class="notice" role="note">${badge('warn', 'Incomplete')} The history of this run is incomplete (${run.incompleteBecause ?? 'unknown'}): every number is of what was recorded.</p>`;

/** What one wants to know before anything else, in figures. */
function numbers(summary: Summary): Markup {
  const { total, refusals, turns, messages, limits, serviceMinutes, drops } = summary;
  const wrong = total.byOutcome.error + total.byOutcome.failed + total.byOutcome.censored;
  const success = total.latency.success;
  const of = (max: number | undefined) => (max === undefined ? '' : ` of ${formatCount(max)}`);
  const fullest = serviceMinutes.reduce((most, { admitted }) => Math.max(most, admitted), 0);
  const figures: (readonly [name: string, value: string, more: string])[] = [
    ['Exchanges', formatCount(total.count), `in ${formatShortDuration(summary.run.durationUs)}`],
    ['Refused (429)', formatCount(refusals.total), formatShare(refusals.total, total.count)],
    ['Errors', formatCount(wrong), drops.total > 0 ? plural(drops.total, 'drop') : 'no drops'],
    ...(success
      ? [
          [
            'Service time p95',
            percentileText(success.service, 'p95'),
            `response time ${percentileText(success.response, 'p95')}`,
          ] as const,
        ]
      : []),
    ...(turns.completion
      ? [
          [
            'Turn completion p90',
            percentileText(turns.completion, 'p90'),
            `of ${plural(turns.completed, 'turn')}`,
          ] as const,
        ]
      : []),
    ...(serviceMinutes.length > 0
      ? [['Fullest minute', formatCount(fullest), `requests admitted${of(limits?.rate.max)}`] as const]
      : []),
    ...(turns.accepted > 0
      ? [
          [
            'Turns at once',
            formatCount(turns.open.maxCertain),
            `for certain${limits === undefined ? '' : `; ${formatCount(limits.concurrency.max)} allowed`}`,
          ] as const,
        ]
      : []),
    ...(messages.newMessages > 0
      ? [
          [
            'New messages',
            formatCount(messages.newMessages),
            `quota ${limits === undefined ? 'unknown' : `${formatCount(limits.daily.max)} a day`}`,
          ] as const,
        ]
      : []),
  ];
  return html`<dl class="figures columns-${figures.length <= 6 ? figures.length : Math.ceil(figures.length / 2)}">${figures.map(([name, value, more]) => html`<div><dt>${name}</dt><dd><b>${value}</b> <small>${more}</small></dd></div>`)}</dl>`;
}

const gateMoods = { pass: ['good', 'Pass'], fail: ['bad', 'Fail'], undetermined: ['open', 'Undetermined'] } as const;

function gateTable(gates: readonly GateShown[]): Markup {
  return html`<h2>Gates</h2>${table(
    'Gates',
    [{ title: 'Gate' }, { title: 'Outcome' }, { title: 'Because' }],
    gates.map(({ gate, outcome, because }) => [html`<code>${gate}</code>`, gateBadge(outcome), because]),
  )}`;
}

function gateBadge(outcome: GateShown['outcome']): Markup {
  const [mood, word] = gateMoods[outcome];
  return badge(mood, word);
}

function wrongfulRefusals({ document: { refusals } }: Judged): Markup | undefined {
  if (refusals.wrongful.length === 0) return undefined;
  return html`<h2>Refused wrongly</h2><ul class="claims">${refusals.wrongful.map(
    ({ certificates }) =>
      html`<li>${certificates.map((certificate) => html`<p>${certificate.claim}.</p>${proofOf(certificate)}`)}</li>`,
  )}</ul>`;
}

const bases = {
  specification: 'against the specification',
  profile: 'against the profile',
  observation: 'observed, never judged',
} as const;

function findings({ document }: Judged): Markup | undefined {
  if (document.findings.length === 0 && document.accepted.length === 0) return undefined;
  return html`<h2>What else was found</h2><ul class="claims">${document.findings.map(
    ({ kind, basis, claim, total }) =>
      html`<li><p>${badge(basis === 'observation' ? 'open' : 'bad', kind)} <small>${bases[basis]}${total !== undefined && `, ${formatCount(total)} times`}</small></p><p>${claim}</p></li>`,
  )}${document.accepted.map(({ violation, claim, reason }) => html`<li><p>${badge('open', violation)} <small>accepted by the profile: ${reason}</small></p><p>${claim}</p></li>`)}</ul>`;
}

function expectations({ expectations: { checked, unmet, examples } }: Summary): Markup | undefined {
  if (checked === 0) return undefined;
  if (unmet === 0)
    return html`<h2>Expectations</h2><p>${badge('good', 'Met')} All ${formatCount(checked)} expectations of the scenario's steps were met.</p>`;
  return html`<h2>Expectations</h2><p>${badge('bad', 'Not met')} ${formatCount(unmet)} of ${formatCount(checked)} expectations of the scenario's steps were not met.</p>
<ul class="claims">${examples.map(({ seq, operation, sentence }) => html`<li>exchange ${seq}, ${operation}: ${sentence}</li>`)}</ul>`;
}

/** Whether the numbers can be believed, and what was assumed for the verdicts. */
function validity(summary: Summary, judged: Judged): Markup {
  const invalid = judged.invalidBecause?.(summary);
  const warnings = healthWarnings(summary);
  const { exclusive, complete, skipped } = judged.document.soundness;
  const skippedText = Object.entries(skipped).map(([what, count]) => `${count} × ${what}`);
  return html`<h2>Is this run valid?</h2>
<p>${invalid === undefined ? html`${badge(warnings.length > 0 ? 'warn' : 'good', warnings.length > 0 ? 'Yes, with care' : 'Yes')} ${summary.run.complete && 'Everything that was sent is recorded.'}` : html`${badge('bad', 'No')} ${invalid}.`}</p>
${warnings.length > 0 && html`<ul class="claims">${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>`}
${folded(
  'What the verdicts rest on',
  html`<ul><li>${exclusive ? 'Nobody else used the credentials.' : 'Others may have used the credentials: no refusal is proven wrongful.'}</li>
<li>${complete ? 'Every request that was sent has its record.' : 'Requests may lack their records: no refusal is proven wrongful.'}</li>
${skippedText.length > 0 && html`<li>No accusation rests on: ${skippedText.join(', ')}.</li>`}</ul>`,
)}`;
}
