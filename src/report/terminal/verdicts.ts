import { inertText } from '../../base/index.ts';
import { renderVerdicts, type VerdictWords } from '../../check/index.ts';
import { nothingProven } from '../formatters.ts';
import type { VerdictsDocument } from '../verdicts-json.ts';

/** Maximum characters of a reason. */
const MOST_SHOWN = 600;

/**
 * Renders verdicts: each limit and finding, then what is proven.
 * @param run argument of `spillway check` that shows the verdicts again
 * @param columns longer lines are wrapped; default: no wrapping, as for logs
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
      ? nothingProven(accepted)
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

/** Wraps a line at spaces; continuation lines are indented by two more characters. */
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
