import { renderVerdicts } from '../../check/index.ts';
import { inertText } from '../inert-text.ts';
import type { VerdictsDocument } from '../verdicts-json.ts';

/** Longest claim and reason that are shown, in characters. */
const MOST_SHOWN = 600;

/**
 * Verdicts for people: each limit and finding, and last what of it counts.
 * @param run what `spillway check` takes to show them again
 */
export function renderVerdictsDocument(document: VerdictsDocument, run: string): string {
  const { proven, accepted } = document;
  const lines = [
    ...accepted.map(
      ({ violation, reason }) => `accepted by the profile: ${violation}, because ${inertText(reason, MOST_SHOWN)}`,
    ),
    proven.length === 0
      ? 'nothing is proven against the service'
      : `proven: ${proven.map(({ violation }) => inertText(violation)).join(', ')}`,
  ];
  return `${renderVerdicts(document, run)}${lines.join('\n')}\n`;
}
