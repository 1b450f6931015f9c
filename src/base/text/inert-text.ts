import { sep } from 'node:path';

/**
 * Characters that can move the cursor, colour a terminal, break a line, reorder text or be invisible: C0 and C1 controls (ECMA-48),
 * all format characters (bidirectional controls of Unicode TR 9, zero-width characters, tags), line and paragraph separators, Hangul
 * fillers and lone surrogates. The joiner of emoji sequences (U+200D) is allowed.
 */
const HARMFUL = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u3164\uffa0]|(?!\u200d)\p{Cf}/gu;

/** Fast path: nearly all texts are printable ASCII. */
const HARMLESS = /^[\x20-\x7e]*$/;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Longest text from a service that a table or a line shows, in characters. */
const SHOWN_CHARACTERS = 200;

/**
 * Makes untrusted text safe to print: harmful characters are escaped (`\n`, `\u{1b}`), so the result is one line.
 * @param maxCharacters longer text is cut and ends with `…`; default 200. The bound counts characters, not bytes.
 */
export function inertText(text: string, maxCharacters = SHOWN_CHARACTERS): string {
  if (text.length <= maxCharacters && HARMLESS.test(text)) return text;
  const spelled = text.replace(HARMFUL, (c) => SHORT_ESCAPES[c] ?? `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}`);
  if (spelled.length <= maxCharacters) return spelled;
  const characters = Array.from(spelled);
  return characters.length <= maxCharacters ? spelled : `${characters.slice(0, maxCharacters - 1).join('')}…`;
}

/**
 * JSON with harmful characters escaped and a final newline. Unlike `inertText` this is lossless: parsing gives the same text.
 * @param indentation number of spaces; 0: all on one line
 */
export function inertJson(value: unknown, indentation = 2): string {
  const json = JSON.stringify(value, undefined, indentation);
  return `${json.replace(HARMFUL, (character) => (character === '\n' ? character : escapedForJson(character)))}\n`;
}

/** A character beyond U+FFFF is two escapes (RFC 8259 section 7). */
const escapedForJson = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

const POSIX = sep === '/';
/** What no shell of the system treats in any special way. */
const PLAIN = POSIX ? /^[\p{L}\p{N}_./:@%+=,-]+$/u : /^[\p{L}\p{N}_.\\/:@+=-]+$/u;

/** A path as one word of a command that a message shows: in quotes if a shell would divide or change it. */
export function shellWord(path: string): string {
  if (PLAIN.test(path)) return path;
  return POSIX ? `'${path.replaceAll("'", `'\\''`)}'` : `"${path}"`;
}
