import { inertText } from '../inert-text.ts';

/** Longest text in a cell, in characters. */
const CELL_CHARACTERS = 300;

/**
 * Somebody else's text as inert Markdown of GitHub: between backticks, where neither HTML, links, mentions nor issue numbers
 * have a meaning. What would end that is replaced by its like: a backtick by an apostrophe, and a bar, which ends a cell even
 * there, by a broken one.
 */
export function code(text: string): string {
  const shown = inertText(text, CELL_CHARACTERS).replaceAll('`', "'").replaceAll('|', '¦');
  return shown.trim() === '' ? '' : `\`${shown}\``;
}

/** As `code`, of sentences of ours that may hold somebody else's words: what has a meaning in Markdown is escaped. */
export const prose = (text: string): string =>
  inertText(text, CELL_CHARACTERS)
    .replace(/[\\`*_{}[\]#!|~]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    // A mention, an issue's number and an address become links by themselves; an entity in between stops that.
    .replaceAll('@', '&#64;')
    .replaceAll('://', '&#58;//')
    .replaceAll('\\#', '&#35;')
    .replaceAll('www.', 'www&#46;');

/** A table; cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)];
}
