import { ESCAPINGS, utf8 } from './escapes.ts';

/** A text as its UTF-8 bytes, a character each, in lower case: of several ways in which it can be read, one. */
export interface View {
  readonly bytes: string;
  /** What it was read from; absent where byte n is character n of the text. */
  readonly source?: View;
  /** Where it differs from that, in its order. */
  readonly changes?: readonly Change[];
}

/** Some bytes, and those that they were read from. */
interface Change {
  readonly at: number;
  readonly length: number;
  readonly sourceAt: number;
  readonly sourceLength: number;
}

const NOT_ASCII = /[^\0-\x7f]/;
const NOT_LATIN1 = /[^\0-\xff]/;
/** Where something may be written otherwise than it is meant. */
const ESCAPES = /[%\\&+]/;

/** Escapes of escapes are read, as in a URL that is a parameter of another; no service means more than that. */
const MOST_LEVELS = 2;

/**
 * A text in each way in which a service may have written something else into it: as it stands; as bytes of UTF-8, which is how
 * header values come (RFC 9110 section 5.5 has them as octets); percent-encoded or form-encoded, inside a JSON string or another
 * literal, with HTML's references; and so encoded twice, by the same or by two of them.
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

/** A searched text, as views are. */
export const bytesOf = (text: string): string => lowered(rawOf(text)).bytes;

const readingsOf = (view: View): View[] =>
  ESCAPINGS.flatMap(({ signs, pattern, meaning }) =>
    signs.test(view.bytes) ? [rewritten(view, pattern, meaning)] : [],
  ).filter((reading) => reading !== view);

/** The same view where nothing is found, or all that is stands for itself. */
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

/** One character of UTF-8 that is more than one byte (RFC 3629 section 4, but for what is too long or too high). */
const LONG_CHARACTER = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g;
const CAPITALS = /[A-Z]+/g;

/** In lower case, character by character: what stands around one does not change it. */
function lowered(view: View): View {
  const { bytes } = view;
  if (!NOT_ASCII.test(bytes)) return { ...view, bytes: bytes.toLowerCase() };
  const long = rewritten(view, LONG_CHARACTER, (one) =>
    utf8(Buffer.from(one, 'latin1').toString('utf8').toLowerCase()),
  );
  return { ...long, bytes: long.bytes.replace(CAPITALS, (capitals) => capitals.toLowerCase()) };
}

/** From the first character to behind the last. */
export type Span = readonly [from: number, to: number];

/** Where in the text some bytes of a view stand; of an escape, all of it. */
export function spanOf(view: View, from: number, to: number): Span {
  if (view.source === undefined) return [from, to];
  const [first] = placeOf(view, from);
  const [, last] = placeOf(view, to - 1);
  return spanOf(view.source, first, last);
}

/** Where in its source one byte of a view stands. */
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
