/**
 * A text as its UTF-8 bytes, a character each, in lower case: of several ways in which it can be read, one. `from` and `to`: where in
 * the text each byte stands; absent where byte n is character n.
 */
export interface View {
  readonly bytes: string;
  readonly from?: readonly number[];
  readonly to?: readonly number[];
}

const ASCII = /^[\0-\x7f]*$/;
const LATIN1 = /^[\0-\xff]*$/;
/** Where something may be written otherwise than it is meant. */
const ESCAPES = /[%\\&+]/;

/**
 * A text in each way in which a service may have written something else into it: as it stands; as bytes of UTF-8, which is how
 * header values come (RFC 9110 section 5.5 has them as octets); percent-encoded or form-encoded, inside a JSON string, with HTML's
 * references; and so encoded twice.
 */
export function viewsOf(text: string): View[] {
  const bases = [rawOf(text, false), ...(!ASCII.test(text) && LATIN1.test(text) ? [rawOf(text, true)] : [])];
  const read = ESCAPES.test(text) ? bases.flatMap((base) => [base, ...decodings(base)]) : bases;
  return read.map(lowered);
}

/** A searched text, as views are. */
export const bytesOf = (text: string): string => lowered(rawOf(text, false)).bytes;

function* decodings(view: View): Generator<View> {
  const once = decoded(view, false);
  yield once;
  if (view.bytes.includes('+')) yield decoded(view, true);
  if (ESCAPES.test(once.bytes) && once.bytes !== view.bytes) yield decoded(once, false);
}

/** Bytes while they are gathered. */
class Writing {
  readonly #bytes: string[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  add(bytes: string, from: number, to: number): void {
    for (const byte of bytes) {
      this.#bytes.push(byte);
      this.#from.push(from);
      this.#to.push(to);
    }
  }

  get view(): View {
    return { bytes: this.#bytes.join(''), from: this.#from, to: this.#to };
  }
}

const utf8 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** @param areBytes whether its characters are bytes already */
function rawOf(text: string, areBytes: boolean): View {
  if (areBytes || ASCII.test(text)) return { bytes: text };
  const writing = new Writing();
  let at = 0;
  for (const character of text) {
    writing.add(utf8(character), at, at + character.length);
    at += character.length;
  }
  return writing.view;
}

/** One level of escapes is read; what is none stays. */
function decoded(view: View, isForm: boolean): View {
  const writing = new Writing();
  const { bytes } = view;
  for (let at = 0; at < bytes.length; ) {
    const { length, means } = (ESCAPES.test(bytes[at] as string) && escapeAt(bytes, at, isForm)) || {
      length: 1,
      means: bytes[at] as string,
    };
    writing.add(means, startOf(view, at), endOf(view, at + length - 1));
    at += length;
  }
  return writing.view;
}

const startOf = ({ from }: View, at: number): number => from?.[at] ?? at;
const endOf = ({ to }: View, at: number): number => to?.[at] ?? at + 1;

const PERCENT = /%([0-9a-f]{2})/iy;
/** RFC 8259 section 7; two of them are one character beyond the first 65,536. */
const UNICODE = /\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|\\u([0-9a-f]{4})/iy;
const BACKSLASH = /\\(["\\/bfnrt])/y;
const CONTROL: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const REFERENCE = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));/iy;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

interface Escape {
  readonly length: number;
  /** Bytes. */
  readonly means: string;
}

function escapeAt(bytes: string, at: number, isForm: boolean): Escape | undefined {
  if (bytes[at] === '+') return isForm ? { length: 1, means: ' ' } : undefined;
  const percent = matchAt(PERCENT, bytes, at);
  if (percent) return { length: 3, means: String.fromCharCode(Number.parseInt(percent[1] as string, 16)) };
  const unicode = matchAt(UNICODE, bytes, at);
  if (unicode) {
    const units = [unicode[1] ?? unicode[3], unicode[2]].flatMap((hex) => (hex ? [Number.parseInt(hex, 16)] : []));
    return { length: unicode[0].length, means: utf8(String.fromCharCode(...units)) };
  }
  const backslash = matchAt(BACKSLASH, bytes, at);
  if (backslash) return { length: 2, means: CONTROL[backslash[1] as string] ?? (backslash[1] as string) };
  const reference = matchAt(REFERENCE, bytes, at);
  if (!reference) return undefined;
  const [{ length }, hex, decimal, name] = reference;
  if (name !== undefined) return { length, means: NAMED[name.toLowerCase()] ?? '' };
  const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return point > 0x10ffff ? undefined : { length, means: utf8(String.fromCodePoint(point)) };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** One character of UTF-8 that is more than one byte (RFC 3629 section 4, but for what is too long or too high). */
const LONG_CHARACTER = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/y;

/** In lower case, character by character: what stands around one does not change it. */
function lowered(view: View): View {
  const { bytes } = view;
  if (ASCII.test(bytes)) return { ...view, bytes: bytes.toLowerCase() };
  const writing = new Writing();
  for (let at = 0; at < bytes.length; ) {
    const long = matchAt(LONG_CHARACTER, bytes, at)?.[0];
    const one = long ?? (bytes[at] as string);
    const lower =
      long === undefined ? lowerAscii(one) : utf8(Buffer.from(long, 'latin1').toString('utf8').toLowerCase());
    writing.add(lower, startOf(view, at), endOf(view, at + one.length - 1));
    at += one.length;
  }
  return writing.view;
}

const lowerAscii = (byte: string): string => (byte < '\x80' ? byte.toLowerCase() : byte);
