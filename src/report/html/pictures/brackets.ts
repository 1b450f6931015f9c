import { formatCount } from '../../../base/index.ts';
import type { Certificate, ExchangeRef } from '../../../check/index.ts';
import type { VerdictsDocument } from '../../verdicts-json.ts';
import type { Bracket } from '../page-data.ts';

const MOST_WRONGFUL = 3;

/** The certificates to draw: those of violated limits, and at most three of other wrongful refusals. */
export function certificatesOf({ limits, refusals }: VerdictsDocument): Certificate[] {
  const violated = limits.flatMap((limit) => (limit.verdict === 'violated' ? [limit.certificate] : []));
  const shown = new Set(violated.flatMap((certificate) => ('refusal' in certificate ? [certificate.refusal] : [])));
  const wrongful = refusals.wrongful
    .filter(({ exchange }) => !shown.has(exchange))
    .flatMap(({ certificates }) => certificates.slice(0, 1));
  return [...violated, ...wrongful.slice(0, MOST_WRONGFUL)];
}

/** All exchanges that the certificates refer to. */
export function namedBy(certificates: readonly Certificate[]): ReadonlySet<ExchangeRef> {
  return new Set(
    certificates.flatMap((certificate) => [
      ...certificate.exchanges,
      ...('refusal' in certificate ? [certificate.refusal] : []),
    ]),
  );
}

export const bracketOf = (certificate: Certificate): Bracket => ({
  limit: certificate.limit,
  fromUs: certificate.fromUs,
  toUs: certificate.toUs,
  label: labelOf(certificate),
});

function labelOf(certificate: Certificate): string {
  if ('arcs' in certificate)
    return `no position of the windows agrees with these ${formatCount(certificate.exchanges.length)}`;
  if (certificate.because === 'wrongful-refusal')
    return `refused after ${formatCount(certificate.observed)} at most, where ${formatCount(certificate.needed)} are allowed`;
  if (certificate.because === 'inconsistent') return 'admitted within a window after a refusal that blocks';
  const what = { rate: 'admitted', concurrency: 'at once', daily: 'accepted' }[certificate.limit];
  return `${formatCount(certificate.observed)} ${what}, at most ${formatCount(wholeOf(certificate.possible))} possible`;
}

/** `possible` may be fractional: a bucket of 20.4 admits 20. */
const wholeOf = (possible: number): number => Math.floor(possible + 1e-9);
