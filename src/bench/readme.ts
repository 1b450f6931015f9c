import { readFileSync, writeFileSync } from 'node:fs';

/** A generator that is not installed. */
export interface Absent {
  readonly name: string;
  readonly install: string;
}

export const absences = (missing: readonly Absent[]): string[] =>
  missing.map(({ name, install }) => `${name}: not on this machine; ${install}`);

/** A table below the setting in which it was measured, and above remarks. @param rows the first one has the headings */
export function markdownTable(
  setting: string,
  [headings = [], ...rows]: readonly (readonly string[])[],
  remarks: readonly string[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = [headings, headings.map(() => '---'), ...rows].map(line);
  return `${[`${setting}.`, '', ...table, '', ...remarks.map((text) => `- ${text}`)].join('\n')}\n`;
}

const readme = new URL('README.md', import.meta.url);
const END = '<!-- end of what is written -->\n';

/**
 * Replaces the table between the comments of a command in README.md.
 * @param command up to and with ` --`, then options other than `--write`
 * @throws Error if README.md lacks the comments
 */
export function replaceInReadme(command: string, markdown: string): void {
  const begin = `<!-- written by ${command} --write -->\n`;
  const text = readFileSync(readme, 'utf8');
  const from = text.indexOf(begin);
  const to = text.indexOf(END, from);
  if (from < 0 || to < 0) throw new Error(`README.md has no place for the table: ${begin.trim()} … ${END.trim()}`);
  writeFileSync(readme, `${text.slice(0, from)}${begin}\n${markdown}\n${text.slice(to)}`);
}
