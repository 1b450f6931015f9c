import { ESCAPINGS, utf8 } from './escapes.ts';

/** One of the ways in which a text can be read: its UTF-8 bytes, one character each, in lower case. */
export interface View {
  readonly bytes: string;
  /** The view from which this one was decoded; absent if byte n is character n of the text. */
  readonly source?: View;
  /** Where it differs from its source, in order. */
  readonly changes?: readonly Change[];
}

/** Some bytes, and the bytes of the source from which they were decoded. */
interface Change {
  readonly at: number;
  readonly length: number;
  readonly sourceAt: number;
  readonly sourceLength: number;
}

const NOT_ASCII = /[^\0-\x7f]/;
const NOT_LATIN1 = /[^\0-\xff]/;
/** Characters that may begin an escape. */
const ESCAPES = /[%\\&+]/;

/** Escapes within escapes are decoded, as in a URL that is a parameter of another; no service nests deeper in earnest. */
const MOST_LEVELS = 2;

/**
 * A text in every way in which a service may have written another text into it: plain; as UTF-8 bytes, as header values arrive
 * (RFC 9110 section 5.5 calls them octets); percent-encoded or form-encoded; inside a JSON string or another literal; with HTML
 * references; and encoded twice, in the same way or in two of these.
 */
export function viewsOf(text: string): View[] {
  const isAscii = !NOT_ASCII.test(text);
  if (isAscii && !ESCAPES.test(text)) return [{ bytes: text.toLowerCase() }];
  const known = new Map<string, View>();
  let level = [rawOf(text), ...(!isAscii && !NOT_LATIN1.test(text) ? [{ bytes: text }] : [])];
  for (let n = 0; level.length > 0; n++) {
    const unread = [...new Map(level.map((view) => [view.bytes, view])).values()].filter(
      ({ bytes }) => !known.has(bytes),
    );
    for (const view of unread) known.set(view.bytes, view);
    level = n === MOST_LEVELS ? [] : unread.flatMap(readingsOf);
  }
  return [...known.values()].map(lowered);
}

/** The form in which views are searched. */
export const bytesOf = (text: string): string => lowered(rawOf(text)).bytes;

const readingsOf = (view: View): View[] =>
  ESCAPINGS.flatMap(({ signs, pattern, meaning }) =>
    signs.test(view.bytes) ? [rewritten(view, pattern, meaning)] : [],
  ).filter((reading) => reading !== view);

/** The same view if nothing is found, or if everything found stands for itself. */
function rewritten(source: View, pattern: RegExp, meaning: (found: string) => string | undefined): View {
  const changes: Change[] = [];
  let grown = 0;
  const bytes = source.bytes.replace(pattern, (found: string, sourceAt: number) => {
    const means = meaning(found);
    if (means === undefined) return found;
    changes.push({ at: sourceAt + grown, length: means.length, sourceAt, sourceLength: found.length });
    grown += means.length - found.length;
    return means;
  });
  return changes.length === 0 ? source : { bytes, source, changes };
}

const BEYOND_ASCII = /[^\0-\x7f]/gu;

const rawOf = (text: string): View => rewritten({ bytes: text }, BEYOND_ASCII, utf8);

/** One character of UTF-8 of more than one byte (RFC 3629 section 4, without checks for overlong or too high ones). */
const LONG_CHARACTER = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;
const CAPITALS = /[A-Z]+/g;

/** Lower case, character by character, so that neighbours do not influence the result. */
function lowered(view: View): View {
  const { bytes } = view;
  if (!NOT_ASCII.test(bytes)) return { ...view, bytes: bytes.toLowerCase() };
  const long = rewritten(view, LONG_CHARACTER, (one) =>
    utf8(Buffer.from(one, 'latin1').toString('utf8').toLowerCase()),
  );
  return { ...long, bytes: long.bytes.replace(CAPITALS, (capitals) => capitals.toLowerCase()) };
}

/** From the first character to the one after the last. */
export type Span = readonly [from: number, to: number];

/** The span in the text of some bytes of a view; an escape is included as a whole. */
export function spanOf(view: View, from: number, to: number): Span {
  if (view.source === undefined) return [from, to];
  const [first] = placeOf(view, from);
  const [, last] = placeOf(view, to - 1);
  return spanOf(view.source, first, last);
}

/** The span in its source of one byte of a view. */
function placeOf({ changes = [] }: View, at: number): Span {
  let low = 0;
  for (let high = changes.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((changes[middle] as Change).at <= at) low = middle + 1;
    else high = middle;
  }
  const change = changes[low - 1];
  if (change === undefined) return [at, at + 1];
  const { sourceAt, sourceLength } = change;
  const beyond = at - change.at - change.length;
  if (beyond < 0) return [sourceAt, sourceAt + sourceLength];
  return [sourceAt + sourceLength + beyond, sourceAt + sourceLength + beyond + 1];
}
