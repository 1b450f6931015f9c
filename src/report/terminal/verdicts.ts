import { renderVerdicts, type VerdictWords } from '../../check/index.ts';
import { inertText } from '../inert-text.ts';
import type { VerdictsDocument } from '../verdicts-json.ts';

/** Longest claim and reason that are shown, in characters. */
const MOST_SHOWN = 600;

/**
 * Verdicts for people: each limit and finding, and last what of it counts.
 * @param run what `spillway check` takes to show them again
 * @param columns longer lines go on in further ones; default as long as they are, which suits logs
 */
export function renderVerdictsDocument(
  document: VerdictsDocument,
  run: string,
  { columns, ...words }: VerdictWords & { readonly columns?: number | undefined } = {},
): string {
  const { proven, accepted } = document;
  const lines = [
    ...accepted.map(
      ({ violation, reason }) => `accepted by the profile: ${violation}, because ${inertText(reason, MOST_SHOWN)}`,
    ),
    proven.length === 0
      ? 'nothing is proven against the service'
      : `proven: ${proven.map(({ violation }) => inertText(violation)).join(', ')}`,
  ];
  const text = `${renderVerdicts(document, run, words)}${lines.join('\n')}\n`;
  return columns === undefined
    ? text
    : text
        .split('\n')
        .flatMap((line) => wrapped(line, columns))
        .join('\n');
}

/** A line in pieces that fit, word by word; those that follow are indented by two more than it is. */
function wrapped(line: string, columns: number): string[] {
  const indent = ' '.repeat(line.length - line.trimStart().length);
  const pieces: string[] = [];
  let piece = '';
  for (const word of line.trim().split(' ')) {
    const start = pieces.length === 0 ? indent : `${indent}  `;
    const longer = piece === '' ? `${start}${word}` : `${piece} ${word}`;
    if (longer.length <= columns || piece === '') piece = longer;
    else {
      pieces.push(piece);
      piece = `${indent}  ${word}`;
    }
  }
  return [...pieces, piece];
}
