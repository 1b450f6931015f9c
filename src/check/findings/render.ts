import { formatCount, groupedBy } from '../../base/index.ts';
import type { ExchangeRef } from '../certificates/certificate.ts';
import type { Finding } from '../finding.ts';
import { inert } from '../inert.ts';

const MOST_NAMED = 12;
/** So many of one kind say what there is to say; `verdicts.json` has more. */
const MOST_TOLD = 5;

/**
 * Findings as plain text: those that can fail a run before observations, each kind with its basis once.
 * @returns lines; none without findings
 */
export function renderFindings(findings: readonly Finding[]): string[] {
  const counting = findings.filter(({ basis }) => basis !== 'observation');
  const observed = findings.filter(({ basis }) => basis === 'observation');
  return [...section('found', counting), ...section('observed, not judged', observed)];
}

function section(title: string, findings: readonly Finding[]): string[] {
  const kinds = groupedBy(findings, ({ kind, basis }) => `${kind} (${basis})`);
  return [...kinds].flatMap(([kind, all]) => {
    const told = all.slice(0, MOST_TOLD);
    const more = (all[0]?.total ?? all.length) - told.length;
    return [
      `${title}: ${inert(kind)}`,
      ...told.map(({ claim, exchanges }) => `  ${inert(claim)}${named(exchanges)}`),
      ...(more > 0 ? [`  and ${formatCount(more)} more`] : []),
    ];
  });
}

function named(exchanges: readonly ExchangeRef[]): string {
  if (exchanges.length === 0) return '';
  const more = exchanges.length > MOST_NAMED ? ` and ${formatCount(exchanges.length - MOST_NAMED)} more` : '';
  return ` [exchanges ${exchanges.slice(0, MOST_NAMED).join(' ')}${more}]`;
}
