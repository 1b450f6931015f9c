import { once } from 'node:events';
import { scheduler } from 'node:timers/promises';
import { inertJson } from '../../base/index.ts';

/** Whether this runs on GitHub Actions, which interprets commands in the output. */
export const onGitHub = (): boolean => process.env.GITHUB_ACTIONS === 'true';

/**
 * Escapes workflow commands with a backslash: GitHub Actions interprets lines that start with `::` and any `##[`.
 */
export const withoutCommands = (text: string): string =>
  text.replace(/^(\s*):(?=:)/gm, '$1\\:').replaceAll('##[', '##\\[');

/** Prints text for people. Texts of a service in it cannot act as workflow commands. */
export function print(stream: NodeJS.WriteStream, text: string): void {
  stream.write(onGitHub() ? withoutCommands(text) : text);
}

/** Prints a document as one line of JSON on stdout. Characters that a terminal or GitHub Actions would interpret are escaped; parsing restores them. */
export function printJson(document: unknown): void {
  const json = inertJson(document, 0);
  process.stdout.write(onGitHub() ? json.replaceAll('##[', '\\u0023#[') : json);
}

/** Prints a note beside the results, on stderr. @param text without a line break at its end */
export const tell = (text: string): void => print(process.stderr, `spillway: ${text}\n`);

/** Characters per write: large enough for low overhead, small enough to appear at once. */
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

/** Prints any number of lines with back-pressure, and stops if the reader closes the pipe. */
export async function printAll(lines: Iterable<string>): Promise<void> {
  const { stdout } = process;
  let isOver = false;
  // The error itself is handled by the listener in start.ts; a closed pipe (| head) is not a failure.
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

/** Control and bidirectional characters, which a terminal would interpret. Line breaks and tabs are kept. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const OBEYED = /(?!\r\n)[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes such characters in a text that quotes an untrusted file: `\u{1b}`. */
export const spelledOut = (text: string): string =>
  text.replace(OBEYED, (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
