import { inertText } from '../../base/index.ts';

/** Maximum characters of a cell. */
const CELL_CHARACTERS = 300;

/**
 * Untrusted text as a code span of GitHub Markdown, in which HTML, links, mentions and issue numbers have no effect. A backtick, which
 * would end the span, is replaced by an apostrophe; a bar, which would end a table cell, by a broken bar.
 */
export function code(text: string): string {
  const shown = inertText(text, CELL_CHARACTERS).replaceAll('`', "'").replaceAll('|', '¦');
  return shown.trim() === '' ? '' : `\`${shown}\``;
}

/** A sentence of Spillway's that may contain untrusted text; everything with a meaning in Markdown is escaped. */
export const prose = (text: string): string =>
  inertText(text, CELL_CHARACTERS)
    .replace(/[\\`*_{}[\]#!|~]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    // GitHub turns mentions, issue numbers and URLs into links; a character reference prevents that.
    .replaceAll('@', '&#64;')
    .replaceAll('://', '&#58;//')
    .replaceAll('\\#', '&#35;')
    .replaceAll('www.', 'www&#46;');

/** A table; cells must be Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)];
}
