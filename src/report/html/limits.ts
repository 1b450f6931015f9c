import type { LimitName } from '../../api/index.ts';
import { formatDuration } from '../../base/index.ts';
import { type Certificate, intervalOf, type LimitVerdict } from '../../check/index.ts';
import { type DeclaredLimits, hasOwnSpeed } from '../../collect/index.ts';
import { capital, formatCount, plural } from '../formatters.ts';
import type { VerdictsDocument } from '../verdicts-json.ts';
import { html, type Markup } from './markup.ts';
import { badge, type Mood } from './parts.ts';

/** Longer lists of exchanges are shortened; verdicts.json has them all. */
const MOST_NAMED = 40;

/** Names of the limits in sentences and headings. */
export const limitWords: Readonly<Record<LimitName, { readonly short: string; readonly title: string }>> = {
  rate: { short: 'rate limit', title: 'Rate limit' },
  concurrency: { short: 'concurrency limit', title: 'Concurrency limit' },
  daily: { short: 'daily quota', title: 'Daily quota' },
};

const moods = {
  violated: ['bad', 'Violated'],
  consistent: ['good', 'Consistent'],
  undecided: ['open', 'Undecided'],
} as const satisfies Record<LimitVerdict['verdict'], readonly [Mood, string]>;

/** `20 requests per 60 s` */
function declaredLimit(limit: LimitName, declared: DeclaredLimits): string {
  switch (limit) {
    case 'rate':
      return `${plural(declared.rate.max, 'request')} per ${windowText(declared.rate.windowUs)}`;
    case 'concurrency':
      return `${formatCount(declared.concurrency.max)} at once`;
    case 'daily':
      return `${plural(declared.daily.max, 'new message')} a day`;
  }
}

export const windowText = (us: number): string => (us === 60_000_000 ? 'minute' : formatDuration(us));

/** One card per limit with the verdict in a sentence and, folded, the proof or the readings. */
export function limitCards(
  { limits, refusals }: VerdictsDocument,
  declared: DeclaredLimits | undefined,
  clockRate: number,
): Markup {
  return html`<ul class="cards">${limits.map((limit) => {
    const [mood, word] = moods[limit.verdict];
    return html`<li class="card ${mood}"><h3>${limitWords[limit.limit].title}</h3>
<p class="declared">${declared && declaredLimit(limit.limit, declared)}</p>
<p>${badge(mood, word)}</p>
<p>${sentenceOf(limit, refusals.attributed[limit.limit])}</p>
${limit.verdict === 'violated' && proofOf(limit.certificate, clockRate)}
${limit.verdict === 'consistent' && readingsOf(limit)}</li>`;
  })}</ul>`;
}

/** The cards of a run that is in progress or was not judged. */
export function limitCardsBefore(declared: DeclaredLimits | undefined, why: string): Markup {
  return html`<ul class="cards">${(Object.keys(limitWords) as LimitName[]).map(
    (limit) => html`<li class="card open"><h3>${limitWords[limit].title}</h3>
<p class="declared">${declared && declaredLimit(limit, declared)}</p><p>${badge('open', 'Not judged')}</p><p>${why}</p></li>`,
  )}</ul>`;
}

function sentenceOf(limit: LimitVerdict, refusals: number): string {
  switch (limit.verdict) {
    case 'violated':
      return `${capital(limit.certificate.claim)}.`;
    case 'consistent': {
      const refused = `It was reached (${plural(refusals, 'refusal')})`;
      if (limit.declared !== 'unknown')
        return `${refused}, and nothing that was admitted or refused contradicts a ${inWords(limit.declared)}.`;
      // The number that the terminal and verdicts.json give, too.
      const explaining = limit.inference?.possible.length ?? 0;
      if (explaining > 0)
        return `${refused}, and ${plural(explaining, 'reading')} ${explaining === 1 ? 'explains' : 'explain'} what was admitted and refused.`;
      const all = new Set(limit.readings.map(({ reading }) => reading));
      const left = survivors(limit);
      const leaves =
        left.length === all.size ? `contradicts none of its ${all.size}` : `leaves ${left.length} of its ${all.size}`;
      // A surviving reading is only not contradicted.
      return `${refused}, and what was admitted and refused ${leaves} readings.`;
    }
    case 'undecided':
      return `This run cannot decide it. Missing: ${lacking(limit.missing).join('; ')}.`;
  }
}

/** Puts items without an explanation first, so that they are not read as part of the explanation of the item before. */
const lacking = (missing: readonly string[]): string[] =>
  missing.toSorted((a, b) => Number(a.includes(': ')) - Number(b.includes(': ')));

const inWords = (reading: string): string => reading.replaceAll('-', ' ');
const survivors = ({ readings }: LimitVerdict): string[] => [
  ...new Set(readings.flatMap((one) => (one.state === 'survives' ? [one.reading] : []))),
];

function readingsOf(limit: LimitVerdict): Markup {
  const { inference } = limit;
  const left = survivors(limit);
  const possible = inference?.possible.map(({ reading }) => reading) ?? [];
  // Of those that behave alike, the inference has the simplest.
  const alike = possible.length === 0 ? [] : left.filter((reading) => !possible.includes(reading));
  const named = possible.length === 0 ? left : possible;
  return html`<details><summary>Readings that fit</summary><p>${named.map(inWords).join(', ')}${alike.length > 0 && `; not counted, as each behaves here like one of these: ${alike.map(inWords).join(', ')}`}</p>
${inference && html`<p>${capital(inference.sentence)}.</p>`}
${inference?.experiment && html`<p>To tell them apart: ${inference.experiment.sentence}.</p>`}</details>`;
}

/** The certificate in full. @param clockRate service seconds per run second */
export function proofOf(certificate: Certificate, clockRate: number): Markup {
  const { rule, reading, counts, scope, exchanges } = certificate;
  const whose = Object.entries(scope).map(([label, value]) => `${label} ${value}`);
  const named = exchanges.slice(0, MOST_NAMED).join(', ') || 'none';
  const more = exchanges.length - MOST_NAMED;
  const refusal =
    'refusal' in certificate ? html`<dt>Refused</dt><dd>exchange ${String(certificate.refusal)}</dd>` : undefined;
  return html`<details><summary>The proof</summary><dl class="facts">
<dt>Rule</dt><dd>${rule}</dd><dt>Reading</dt><dd>${reading === 'every' ? 'every known one' : inWords(reading)}</dd>
<dt>Counting</dt><dd>${counts}${whose.length > 0 && `, of ${whose.join(', ')}`}</dd>
<dt>Between</dt><dd>${intervalOf(certificate, hasOwnSpeed(clockRate) ? clockRate : undefined)}</dd>${refusal}
<dt>Exchanges</dt><dd class="named">${named}${more > 0 && ` and ${formatCount(more)} more in verdicts.json`}</dd></dl>
<p>An independent verifier recomputed this proof from the journal before it was printed. To repeat it: <code>spillway check RUN</code></p></details>`;
}
