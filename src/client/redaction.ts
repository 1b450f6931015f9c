/** What stands in place of a secret. */
export const REDACTED = '[redacted]';

/** Shorter values would be found everywhere; nobody's secret is that short. */
const SHORTEST_SECRET = 4;

/** Shorter parts may be in common by chance, as the beginnings of identifiers of one millisecond are (RFC 9562 section 5.7). */
const SHORTEST_PART = 16;

/**
 * Makes a function that replaces every occurrence of the given secrets, plain or in the forms in which HTTP carries them:
 * percent-encoded (all of it or what must be), form-encoded, inside a JSON string, as hexadecimal digits, and inside base64 or
 * base64url of any longer text (Basic credentials), for which the three alignments of RFC 4648 section 4 are searched; all of
 * these in whichever case.
 * @param partsOf texts of which 16 characters in a row are replaced as well, for services that abbreviate what they say back; as they
 *   stand here, in whichever case (`formsOfBasic` has those of a client's credentials)
 */
export function redactor(secrets: readonly string[], partsOf: readonly string[] = []): (text: string) => string {
  const long = partsOf.filter((secret) => secret.length >= SHORTEST_PART);
  const whole = wholeRedactor(secrets);
  if (long.length === 0) return whole;
  // A part that goes from one into the next needs a line break of its own, which no header has.
  const searched = folded([...new Set(long)].join('\n'));
  return (text) => withoutParts(whole(text), searched);
}

/**
 * What stands in a request for a client's id and secret, or may be made of it by who decodes it (RFC 7617 section 2): the secret in
 * each form, and the pair in base64. The id itself is no secret, and is none of these.
 */
export function formsOfBasic(clientId: string, clientSecret: string): string[] {
  const pair = Buffer.from(`${clientId}:${clientSecret}`, 'utf8');
  return [...formsOfSecret(clientSecret), pair.toString('base64'), pair.toString('base64url')];
}

function wholeRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.filter((secret) => secret.length >= SHORTEST_SECRET).flatMap(formsOfSecret);
  // The longest first: a form that contains another one must not leave its rest standing.
  const ordered = [...new Set(forms)].sort((a, b) => b.length - a.length);
  if (ordered.length === 0) return (text) => text;
  const pattern = new RegExp(ordered.map(escapeRegExp).join('|'), 'gi');
  return (text) => text.replace(pattern, REDACTED);
}

// Names of headers come in lower case. Of few letters the other case has another length, and places would not fit.
const folded = (text: string) => (text.toLowerCase().length === text.length ? text.toLowerCase() : text);

/** @param secret text whose parts are looked for, folded */
function withoutParts(text: string, secret: string): string {
  const searched = folded(text);
  let kept = '';
  let from = 0;
  for (let at = 0; at + SHORTEST_PART <= text.length; at++) {
    let end = at + SHORTEST_PART;
    if (!secret.includes(searched.slice(at, end))) continue;
    while (end < text.length && secret.includes(searched.slice(at, end + 1))) end++;
    kept += text.slice(from, at) + REDACTED;
    from = end;
    at = end - 1;
  }
  return from === 0 ? text : kept + text.slice(from);
}

/** A secret plain and in each form in which HTTP carries it, see `redactor`. */
export function formsOfSecret(secret: string): string[] {
  const percent = encodeURIComponent(secret);
  const all = [...Buffer.from(secret, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const encoded = [percent, percent.replaceAll('%20', '+'), all].flatMap((form) => [
    form,
    lowerCasePercent(form),
    upperCasePercent(form),
  ]);
  const hex = Buffer.from(secret, 'utf8').toString('hex');
  return [secret, JSON.stringify(secret).slice(1, -1), hex, ...encoded, ...insideBase64(secret)];
}

const lowerCasePercent = (text: string) => text.replace(/%[0-9a-f]{2}/gi, (code) => code.toLowerCase());
const upperCasePercent = (text: string) => text.replace(/%[0-9a-f]{2}/gi, (code) => code.toUpperCase());

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

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Makes text inert for a terminal: C0, DEL, C1, bidirectional and separator controls become visible escapes. */
export function visible(text: string): string {
  return text.replace(CONTROLS, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
