/** On a runner of GitHub Actions, which reads commands out of what is printed. */
export const onGitHub = (): boolean => process.env.GITHUB_ACTIONS === 'true';

/**
 * People's text on such a runner, which takes lines that begin with `::` and any `##[` for commands: a backslash in front makes
 * them text again.
 */
export const withoutCommands = (text: string): string =>
  text.replace(/^(\s*):(?=:)/gm, '$1\\:').replaceAll('##[', '##\\[');

/** Prints text for people; words of a service in it are no commands to whatever reads along. */
export function print(stream: NodeJS.WriteStream, text: string): void {
  stream.write(onGitHub() ? withoutCommands(text) : text);
}

/** Prints a document for machines, on one line of stdout. */
export function printJson(document: unknown): void {
  const json = JSON.stringify(document);
  process.stdout.write(`${onGitHub() ? json.replaceAll('##[', '\\u0023#[') : json}\n`);
}
