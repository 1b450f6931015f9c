/** Where a body holds an identifier, an instant or a token: in these, two answers of one operation differ. */
export interface Hole {
  /** Four bytes or more. */
  readonly from: number;
  readonly to: number;
  /** Whether the bytes at this place are another value of the same kind. */
  readonly fits: (bytes: Buffer, from: number, to: number) => boolean;
  /** Path of member names to the value, outermost first. */
  readonly path: readonly string[];
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}';
const INSTANT = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?Z';
/** RFC 6750 section 2.1, and long enough to be compared. Any text could be a token, so only the member of that name counts as one. */
const TOKEN = '[\\w.~+/=-]{4,}';
const VALUES = new RegExp(
  `"(?:(?<uuid>${UUID})|(?<instant>${INSTANT}))"|(?<="access_token"\\s*:\\s*)"(?<token>${TOKEN})"`,
  'g',
);

/**
 * Finds all UUIDs (RFC 9562, in lower case), instants (RFC 3339, UTC) and access tokens that are whole values in a body.
 * @param text valid JSON of an object, ASCII
 * @returns `undefined` if one of them is not a member's value: a name, an item of a list, or a duplicate
 */
export function holesIn(text: string, most: number): readonly Hole[] | undefined {
  const found = [...text.matchAll(VALUES)].map(({ index, 0: quoted, groups }) => ({
    from: index + 1,
    to: index + quoted.length - 1,
    fits: groups?.uuid !== undefined ? isUuid : groups?.token !== undefined ? isToken : isInstant,
  }));
  if (found.length > most) return undefined;
  const paths = pathsOf(text, found);
  const holes = found.flatMap((place, number): Hole[] => {
    const path = paths.get(number);
    return path ? [{ ...place, path }] : [];
  });
  const bytes = Buffer.from(text, 'latin1');
  const isWhole = holes.length === found.length && holes.every(({ from, to, fits }) => fits(bytes, from, to));
  return isWhole ? holes : undefined;
}

/** Their paths: the parser itself shows them, given a copy with marks in their places, whatever the body repeats or nests. */
function pathsOf(
  text: string,
  places: readonly { readonly from: number; readonly to: number }[],
): Map<number, string[]> {
  let marked = '';
  let at = 0;
  for (const [number, { from, to }] of places.entries()) {
    marked += `${text.slice(at, from)}${MARK}${number}`;
    at = to;
  }
  const paths = new Map<number, string[]>();
  const walk = (value: unknown, path: string[]): void => {
    const isMarked = typeof value === 'string' && value.startsWith(MARK);
    // Setting a member of this name would set the prototype instead.
    if (isMarked && !path.includes('__proto__')) paths.set(Number(value.slice(MARK.length)), path);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const [name, member] of Object.entries(value)) walk(member, [...path, name]);
  };
  if (!text.includes(MARK)) walk(JSON.parse(marked + text.slice(at)), []);
  return paths;
}

const MARK = 'spillway-hole-';

const UUID_BYTES = 36;
const [DIGIT, HEX, DASH, VERSION, VARIANT, OF_TOKEN] = [1, 2, 4, 8, 16, 32];

/** Character classes of a byte. */
const CLASSES = new Uint8Array(256);
const allow = (bytes: string, kind: number) => {
  for (const byte of bytes) CLASSES[byte.charCodeAt(0)] = (CLASSES[byte.charCodeAt(0)] ?? 0) | kind;
};
allow('0123456789', DIGIT);
allow('0123456789abcdef', HEX);
allow('-', DASH);
allow('12345678', VERSION);
allow('89ab', VARIANT);
allow('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/=', OF_TOKEN);

/** The character class at each place of a UUID. */
const UUID_PLACES = Uint8Array.from({ length: UUID_BYTES }, (_, place) => {
  if (place === 8 || place === 13 || place === 18 || place === 23) return DASH;
  return place === 14 ? VERSION : place === 19 ? VARIANT : HEX;
});

function isUuid(bytes: Buffer, from: number): boolean {
  for (let place = 0; place < UUID_BYTES; place++)
    if (((CLASSES[bytes[from + place] ?? 0] ?? 0) & (UUID_PLACES[place] ?? 0)) === 0) return false;
  return true;
}

/** Whether these are characters that JSON writes unescaped. */
function isToken(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (((CLASSES[bytes[at] ?? 0] ?? 0) & OF_TOKEN) === 0) return false;
  return true;
}

const INSTANT_PLACES = Buffer.from('0000-00-00T00:00:00.', 'latin1');
const [ZERO, LAST] = [0x30, 0x5a];

/** Up to day 28, which every month has; for other days the date parser is asked. */
function isInstant(bytes: Buffer, from: number, to: number): boolean {
  for (let at = from; at < to - 1; at++) {
    const model = INSTANT_PLACES[at - from] ?? ZERO;
    const isRight = model === ZERO ? ((CLASSES[bytes[at] ?? 0] ?? 0) & DIGIT) !== 0 : bytes[at] === model;
    if (!isRight) return false;
  }
  const pair = (place: number) => ((bytes[from + place] ?? 0) - ZERO) * 10 + (bytes[from + place + 1] ?? 0) - ZERO;
  const isDate = pair(5) >= 1 && pair(5) <= 12 && pair(8) >= 1 && pair(8) <= 28;
  return isDate && pair(11) < 24 && pair(14) < 60 && pair(17) < 60 && bytes[to - 1] === LAST;
}
