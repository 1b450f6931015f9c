/** Columns of the help. */
export const helpWidth = (): number => Math.min(100, process.stderr.columns ?? 100);

const INDENT = '    ';

/**
 * The part of the help with examples. yargs would break long commands anywhere, beside their descriptions, so that they could not be
 * pasted into a shell.
 * @param all commands without `spillway`, each with what it does
 */
export const examples = (all: readonly (readonly [command: string, what: string])[], width = helpWidth()): string =>
  `Examples:\n${all.map(([command, what]) => `  ${what}\n${broken(command, width)}`).join('\n')}\n`;

/** Breaks a command before switches, with a backslash, so that every line has room. */
function broken(command: string, width: number): string {
  const name = command.includes('spillway') ? command : `spillway ${command}`;
  const lines: string[] = [];
  for (const part of name.split(/ (?=-)/)) {
    const joined = `${lines.at(-1)} ${part}`;
    // Room for a space and the backslash.
    if (lines.length > 0 && joined.length <= width - 2) lines[lines.length - 1] = joined;
    else lines.push(`${INDENT}${lines.length > 0 ? '  ' : ''}${part}`);
  }
  return lines.join(' \\\n');
}
