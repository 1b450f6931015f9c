/** Shorter values would be found everywhere; no real secret is that short. */
export const SHORTEST_SECRET = 4;

/** Of a longer secret only the beginning is searched for: a service must not determine the cost of the search. */
const LONGEST_SECRET = 16_384;

/**
 * Forms of a client's id and secret in a request, or after decoding it (RFC 7617 section 2): the secret in each form, and the
 * pair in base64, also where a whole request is encoded again. The id alone is not secret and not included.
 */
export function formsOfBasic(clientId: string, clientSecret: string): string[] {
  const pair = Buffer.from(`${clientId}:${clientSecret}`, 'utf8');
  return [clientSecret, pair.toString('base64'), pair.toString('base64url')].flatMap(formsOfSecret);
}

/** A secret in plain form and in each form that no view of a text decodes (see `redactor`). */
export function formsOfSecret(secret: string): string[] {
  const known = knownOf(secret);
  return [known, ...[...new Set(writtenIn(known))].flatMap((text) => [hexOf(text), ...insideBase64(text)])];
}

/** The forms before a whole text is encoded: in a header, a JSON string (RFC 8259 section 7), a URL. */
const writtenIn = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret.toWellFormed()),
];

const hexOf = (text: string): string => Buffer.from(text, 'utf8').toString('hex');

/** The part of a secret that is searched for. */
export const knownOf = (secret: string): string => secret.slice(0, LONGEST_SECRET);

/** The base64 characters that depend on the secret alone, for each offset of the secret modulo 3. */
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
