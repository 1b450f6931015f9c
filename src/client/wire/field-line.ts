const COLON = 0x3a;
const HTAB = 0x09;
const SP = 0x20;

/** Characters of a token (RFC 9110 section 5.6.2). */
const TOKEN = new Uint8Array(256);
for (const character of "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") {
  TOKEN[character.charCodeAt(0)] = 1;
}

export interface Field {
  /** In lower case. */
  readonly name: string;
  /** One character per byte. */
  readonly value: string;
}

/** Whether a byte may occur in a field's value or a reason: visible, space, tab, or above ASCII (RFC 9110 section 5.5). */
export const isTextByte = (byte: number): boolean => (byte >= SP && byte !== 0x7f) || byte === HTAB;

/**
 * Reads `name: value` between two positions, without the line's end. Strict: no space before the colon, no folded line (RFC 9112
 * section 5.2), no control character, so that no two parsers of one answer see different fields.
 * @returns `undefined` if the line is no field
 */
export function readField(bytes: Buffer, from: number, to: number): Field | undefined {
  let colon = from;
  while (colon < to && TOKEN[bytes[colon] ?? 0] === 1) colon++;
  if (colon === from || colon === to || bytes[colon] !== COLON) return undefined;
  let begin = colon + 1;
  let end = to;
  while (begin < end && isBlank(bytes[begin])) begin++;
  while (end > begin && isBlank(bytes[end - 1])) end--;
  for (let at = begin; at < end; at++) if (!isTextByte(bytes[at] ?? 0)) return undefined;
  return {
    name: bytes.toString('latin1', from, colon).toLowerCase(),
    value: bytes.toString('latin1', begin, end),
  };
}

const isBlank = (byte: number | undefined): boolean => byte === SP || byte === HTAB;
