import { bytesOf, type View, viewsOf } from './echo-views.ts';

/** What stands in place of a secret. */
export const REDACTED = '[redacted]';

/** Shorter values would be found everywhere; nobody's secret is that short. */
const SHORTEST_SECRET = 4;

/** Shorter parts may be in common by chance, as the beginnings of identifiers of one millisecond are (RFC 9562 section 5.7). */
const SHORTEST_PART = 16;

/** What is longer is known by its beginning: what it costs to look for must not be for a service to say. */
const LONGEST_SECRET = 16_384;

/**
 * Makes a function that replaces every occurrence of the given secrets, in whichever case and however they are written
 * (`viewsOf`): plain, percent-encoded, form-encoded, inside a JSON string or in HTML; also as hexadecimal digits, and inside base64 or
 * base64url of any longer text (Basic credentials), for which the three alignments of RFC 4648 section 4 are searched.
 * @param partsOf texts of which 16 bytes in a row are replaced as well, for services that abbreviate what they say back; as they
 *   stand here (`formsOfSecret`, and `formsOfBasic` for a client's credentials)
 */
export function redactor(secrets: readonly string[], partsOf: readonly string[] = []): (text: string) => string {
  const kept = secrets.filter((secret) => secret.length >= SHORTEST_SECRET);
  const wholes = [...new Set(kept.flatMap(formsOfSecret).map(bytesOf))];
  // A part that goes from one into the next needs a line break of its own, which no header has.
  const parts = [...new Set(partsOf.map((text) => bytesOf(text.slice(0, LONGEST_SECRET))))]
    .filter((bytes) => bytes.length >= SHORTEST_PART)
    .join('\n');
  if (wholes.length === 0 && parts === '') return (text) => text;
  return (text) => {
    const spans = viewsOf(text).flatMap((view) => [...wholesIn(view, wholes), ...partsIn(view, parts)]);
    return spans.length === 0 ? text : withoutSpans(text, spans);
  };
}

/** From the first character to behind the last. */
type Span = readonly [from: number, to: number];

const spanOf = ({ from, to }: View, first: number, last: number): Span => [
  from?.[first] ?? first,
  to?.[last] ?? last + 1,
];

function* wholesIn(view: View, wholes: readonly string[]): Generator<Span> {
  const { bytes } = view;
  for (const whole of wholes)
    for (let at = bytes.indexOf(whole); at >= 0; at = bytes.indexOf(whole, at + whole.length))
      yield spanOf(view, at, at + whole.length - 1);
}

function* partsIn(view: View, secret: string): Generator<Span> {
  const { bytes } = view;
  for (let at = 0; at + SHORTEST_PART <= bytes.length; at++) {
    let end = at + SHORTEST_PART;
    if (!secret.includes(bytes.slice(at, end))) continue;
    while (end < bytes.length && secret.includes(bytes.slice(at, end + 1))) end++;
    yield spanOf(view, at, end - 1);
    at = end - 1;
  }
}

function withoutSpans(text: string, spans: readonly Span[]): string {
  let kept = '';
  let behind = 0;
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    if (from >= behind) kept += text.slice(behind, from) + REDACTED;
    behind = Math.max(behind, to);
  }
  return kept + text.slice(behind);
}

/**
 * What stands in a request for a client's id and secret, or may be made of it by who decodes it (RFC 7617 section 2): the secret in
 * each form, and the pair in base64. The id itself is no secret, and is none of these.
 */
export function formsOfBasic(clientId: string, clientSecret: string): string[] {
  const pair = Buffer.from(`${clientId}:${clientSecret}`, 'utf8');
  return [...formsOfSecret(clientSecret), pair.toString('base64'), pair.toString('base64url')];
}

/** A secret plain and in each form that no view of a text gives back, see `redactor`. */
export function formsOfSecret(secret: string): string[] {
  const known = secret.slice(0, LONGEST_SECRET);
  return [known, Buffer.from(known, 'utf8').toString('hex'), ...insideBase64(known)];
}

/** The characters of base64 that depend on the secret alone, for each offset of the secret modulo 3. */
function insideBase64(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const firstOwn = Math.ceil((offset * 8) / 6);
    const pastOwn = Math.floor(((offset + bytes.length) * 8) / 6);
    const own = text.slice(firstOwn, pastOwn);
    return own.length < SHORTEST_SECRET ? [] : [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Makes text inert for a terminal: C0, DEL, C1, bidirectional and separator controls become visible escapes. */
export function visible(text: string): string {
  return text.replace(CONTROLS, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
