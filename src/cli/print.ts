import { once } from 'node:events';
import { scheduler } from 'node:timers/promises';

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

/** Long enough that writing costs little, short enough that it comes at once. */
const PIECE = 16_384;

function* inPieces(lines: Iterable<string>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** Prints lines without end as fast as they are read, and no more once nobody reads them. */
export async function printAll(lines: Iterable<string>): Promise<void> {
  const { stdout } = process;
  let isOver = false;
  // What went wrong with it is told where it is listened to; whoever has seen enough (| head) has not failed.
  const end = () => {
    isOver = true;
  };
  stdout.once('error', end);
  try {
    for (const piece of inPieces(lines)) {
      if (stdout.write(piece)) await scheduler.yield();
      else await once(stdout, 'drain').catch(end);
      if (isOver) return;
    }
  } finally {
    stdout.off('error', end);
  }
}

/** What a terminal would obey, or read in another order; lines and tabs stay. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const OBEYED = /(?!\r\n)[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Text that quotes a file, whoever wrote that, with such characters spelled out: `\u{1b}`. */
export const spelledOut = (text: string): string =>
  text.replace(OBEYED, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
