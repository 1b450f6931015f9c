import { formatCount, listed, plural } from '../base/index.ts';
import type { Certificate } from './certificates/certificate.ts';
import { renderFindings } from './findings/render.ts';
import { inert } from './inert.ts';
import { renderInference } from './inference/render.ts';
import type { LimitVerdict, Verdicts } from './verdict.ts';

/** Longer lists of exchanges are shortened in text; the JSON has all of them. */
const MOST_NAMED = 60;

export interface VerdictWords {
  /** Whether to leave out what rules other readings out. */
  readonly brief?: boolean;
  /** Service seconds per run second, of a clock that runs visibly faster or slower. */
  readonly clockRate?: number | undefined;
}

/**
 * The verdicts as plain text.
 * @param run the argument that makes `spillway check` show them again: a folder under results/ or a journal
 */
export function renderVerdicts(verdicts: Verdicts, run = 'RUN', words: VerdictWords = {}): string {
  const { limits, refusals, findings, soundness } = verdicts;
  const skipped = Object.entries(soundness.skipped).map(([what, count]) => `${formatCount(count)} × ${inert(what)}`);
  return [
    ...limits.flatMap((limit) => renderLimit(limit, run, words)),
    refusalsText(refusals),
    ...wrongfulText(refusals),
    ...renderFindings(findings),
    ...(soundness.complete ? [] : ['the history is incomplete: no refusal is proven wrongful']),
    ...(skipped.length > 0 ? [`not used as evidence: ${skipped.join(', ')}`] : []),
    '',
  ].join('\n');
}

function refusalsText({ attributed, total, unnamed }: Verdicts['refusals']): string {
  const by = Object.entries(attributed).filter(([, count]) => count > 0);
  const counts = by.map(([limit, count]) => `${limit} ${formatCount(count)}`);
  return listed(
    `refusals: ${formatCount(total)}${counts.length > 0 ? ` (${counts.join(', ')})` : ''}`,
    unnamed > 0 &&
      `${formatCount(unnamed)} of them without a code that names a limit: attributed by elimination, or from an intermediary`,
    attributed.ambiguous > 0 && 'ambiguous: by one of several limits, or by an intermediary',
  ).join('; ');
}

function wrongfulText({ wrongful }: Verdicts['refusals']): string[] {
  const requests = wrongful.map(({ exchange }) => exchange);
  if (requests.length === 0) return [];
  if (requests.length === 1) return [`  wrongful: request ${requests[0]}, which no reading explains`];
  return [`  wrongful: ${plural(requests.length, 'request')}, which no reading explains${named(requests)}`];
}

function renderLimit(limit: LimitVerdict, run: string, { brief = false, clockRate }: VerdictWords): string[] {
  const head = `${limit.limit}: ${limit.verdict}`;
  switch (limit.verdict) {
    case 'violated':
      return [
        `${head} (${limit.because})`,
        ...renderCertificate(limit.certificate, clockRate).map((line) => `  ${line}`),
        `  show it again: spillway check ${run}`,
        ...renderInference(limit.inference, brief, 'as a limit other than declared it would fit: '),
      ];
    case 'undecided':
      return [head, ...limit.missing.map((what) => `  missing: ${what}`)];
    case 'consistent':
      return [head, ...renderInference(limit.inference, brief)];
  }
}

/**
 * A certificate as lines: claim, interval, exchanges. The claim counts the service's time, the interval the run's.
 * @param clockRate service seconds per run second, where the two differ visibly
 */
export function renderCertificate(certificate: Certificate, clockRate?: number): string[] {
  const { claim, rule, scope, exchanges } = certificate;
  const whose = Object.entries(scope).map(([label, value]) => `${label} ${inert(value)}`);
  return [
    inert(claim),
    `rule ${rule}, reading ${certificate.reading}, counting ${certificate.counts}${whose.length > 0 ? `, of ${whose.join(', ')}` : ''}`,
    `between ${intervalOf(certificate, clockRate)}`,
    `exchanges${named(exchanges)}`,
  ];
}

/**
 * `5.004 s and 18.251 s of the run, 13.247 s on the service's clock`. All to the millisecond: a claim's own span is rounded so that the
 * claim stays true, and another rounding here would look like a contradiction.
 * @param clockRate as for `renderCertificate`
 */
export function intervalOf({ fromUs, toUs }: Certificate, clockRate?: number): string {
  const seconds = (us: number) => `${(us / 1e6).toFixed(3)} s`;
  const told = clockRate === undefined ? '' : `, ${seconds((toUs - fromUs) * clockRate)} on the service's clock`;
  return `${seconds(fromUs)} and ${seconds(toUs)} of the run${told}`;
}

function named(exchanges: readonly (number | string)[]): string {
  if (exchanges.length === 0) return ': none';
  const shown = exchanges.slice(0, MOST_NAMED).join(' ');
  const more = exchanges.length > MOST_NAMED ? ` and ${formatCount(exchanges.length - MOST_NAMED)} more` : '';
  return `: ${shown}${more}`;
}
