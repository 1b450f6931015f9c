/** Shorter values would be found everywhere; nobody's secret is that short. */
export const SHORTEST_SECRET = 4;

/** What is longer is known by its beginning: what it costs to look for must not be for a service to say. */
const LONGEST_SECRET = 16_384;

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
  const known = knownOf(secret);
  return [known, ...[...new Set(writtenIn(known))].flatMap((text) => [hexOf(text), ...insideBase64(text)])];
}

/** As it stands in a text that is then encoded as a whole: a header, a JSON string (RFC 8259 section 7), a URL. */
const writtenIn = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret.toWellFormed()),
];

const hexOf = (text: string): string => Buffer.from(text, 'utf8').toString('hex');

/** As much of a secret as is looked for. */
export const knownOf = (secret: string): string => secret.slice(0, LONGEST_SECRET);

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
