import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../testing/share.ts';
import { bytesOf, spanOf, viewsOf } from './echo-views.ts';
import { REDACTED, redactor, soughtSecrets, withoutSpans } from './redaction.ts';
import { formsOfBasic, formsOfSecret } from './secret-forms.ts';

describe('a redactor', () => {
  it('without secrets changes nothing; too short a secret is ignored', () => {
    expect(redactor([])('abc')).toBe('abc');
    expect(redactor(['', 'abc'])('abc')).toBe('abc');
  });

  it('finds a part of a secret, from 16 characters on, and nothing shorter', () => {
    const token = 'eyJhbGciOiJFUzI1NiJ9.c3BpbGx3YXk.signature';
    const redact = redactor([token], [token, 'short']);
    expect(redact(`pk=${token.slice(0, 20)}…; r=3`)).toBe('pk=[redacted]…; r=3');
    expect(redact(`${token.slice(-16)} ${token} ${token.slice(3, 25)}`)).toBe('[redacted] [redacted] [redacted]');
    expect(redact(`pk=${token.slice(0, 15)}; short`)).toBe(`pk=${token.slice(0, 15)}; short`);
    expect(redactor([token])(token.slice(0, 20))).toBe(token.slice(0, 20));
    const across = 'end-of-onestart-of-two';
    expect(redactor([], ['0123456-end-of-one', 'start-of-two-4567'])(across)).toBe(across);
  });

  it('finds fragments of Basic credentials wherever they are cut', () => {
    const secret = 's3cr3t/CLIENT+SECRET=="x';
    const redact = redactor([secret], formsOfBasic('id-CLIENT', secret));
    const whole = Buffer.from(`id-CLIENT:${secret}`, 'utf8').toString('base64');
    const ofId = 'aWQtQ0xJRU5UOn';
    for (let from = 0; from + 16 < whole.length; from++)
      for (let to = from + 16; to <= whole.length; to++) {
        const [before = '', after = '', ...others] = redact(`Basic ${whole.slice(from, to)}…`).split(REDACTED);
        expect([ofId.endsWith(before.slice('Basic '.length)), /^.?=*…$/.test(after), others]).toEqual([true, true, []]);
      }
    expect(redact('id-CLIENT, a client whose name has more than sixteen letters')).toBe(
      'id-CLIENT, a client whose name has more than sixteen letters',
    );
  });

  it.each([
    ['base64', 'base64'],
    ['base64', 'hex'],
    ['base64url', 'base64'],
  ] as const)('finds Basic credentials in %s in a whole request that is said back in %s', (inner, outer) => {
    const secret = 's3cr3t/CLIENT+SECRET=="x';
    const redact = redactor([secret], formsOfBasic('id-CLIENT', secret));
    const pair = Buffer.from(`id-CLIENT:${secret}`).toString(inner);
    for (const before of ['', ' ', '  ']) {
      const request = JSON.stringify({ path: '/tokens', authorization: `${before}Basic ${pair}` });
      const told = redact(Buffer.from(request).toString(outer));
      expect(told).toContain(REDACTED);
      const kept = Buffer.from(told.split(REDACTED)[0] ?? '', outer).toString();
      expect(Buffer.from(kept.split('Basic ')[1] ?? '', inner).toString()).not.toContain('s3cr');
    }
  });

  const SECRET = 'Sx3/cr+t"b\\pässwörd-ЖЗИ & co';
  const asHeader = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
  const asciiJson = (text: string) =>
    JSON.stringify(text).replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  it.each([
    ['as the bytes of a header', asHeader(SECRET)],
    ['in capitals, as the bytes of a header', asHeader(SECRET.toUpperCase())],
    ['in JSON of ASCII alone', asciiJson(SECRET).slice(1, -1)],
    ['in JSON that escapes its slashes', JSON.stringify(SECRET).slice(1, -1).replaceAll('/', '\\/')],
    ['in HTML', SECRET.replaceAll('&', '&amp;').replaceAll('"', '&#34;').replaceAll('Ж', '&#x416;')],
    ['in a form', new URLSearchParams({ a: SECRET }).toString().slice(2)],
    ['in a form, in capitals', new URLSearchParams({ a: SECRET.toUpperCase() }).toString().slice(2)],
    ['in a URL within a URL', encodeURIComponent(encodeURIComponent(SECRET))],
    ['in base64, within a URL', encodeURIComponent(Buffer.from(SECRET).toString('base64'))],
    ['percent-encoded, in base64', Buffer.from(encodeURIComponent(SECRET)).toString('base64')],
    ['in JSON, in base64', Buffer.from(JSON.stringify(SECRET).slice(1, -1)).toString('base64')],
    ['in JSON, in hexadecimal digits', Buffer.from(JSON.stringify(SECRET).slice(1, -1)).toString('hex')],
  ])('finds a secret %s, whatever stands beside it', (_, written) => {
    const redact = redactor([SECRET]);
    const text = redact(`100% <${written}> %zz`);
    expect(text).toMatch(/^100% <\[redacted\].{0,4}> %zz$/);
  });

  it.each([
    ['percent-encoded, and cut', (token: string) => encodeURIComponent(token).slice(0, 31)],
    ['percent-encoded, and cut in an escape', (token: string) => encodeURIComponent(token).slice(7, -1)],
    ['in base64, and cut', (token: string) => Buffer.from(`x:${token}`).toString('base64').slice(0, 40)],
    ['with its slashes escaped, and cut', (token: string) => token.replaceAll('/', '\\/').slice(0, 30)],
  ])('finds parts of a token %s', (_, part) => {
    const token = 'dGhp/cyBpc+yBh/IHRv+a2Vu/b3IgYSB0ZXN0';
    const redact = redactor([token], formsOfSecret(token));
    expect(redact(`token ${part(token)}...`)).toMatch(/^token .{0,4}\[redacted\].{0,4}\.\.\.$/);
  });

  it('accepts a secret of any length, and finds the beginning of a very long one', () => {
    const token = Buffer.alloc(3_000_000, 'aB3/-').toString();
    const redact = redactor([token], formsOfSecret(token));
    expect(redact(`is ${token.slice(0, 400)}`)).toBe('is [redacted]');
    expect(redact('nothing of it')).toBe('nothing of it');
  });

  it('finds a secret in every form in which HTTP carries it', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 40, unit: 'binary' }),
        fc.string({ maxLength: 10 }),
        fc.string({ maxLength: 10 }),
        (secret, before, after) => {
          const redact = redactor([secret]);
          const holds = (text: string, form: string) => redact(text).includes(form);
          const form = encodeURIComponent(secret);
          expect(holds(`${before}${secret}${after}`, secret)).toBe(false);
          expect(holds(`a=${form}&b`, form)).toBe(false);
          expect(
            holds(
              form.toLowerCase().replace(/%[0-9a-f]{2}/g, (code) => code),
              form,
            ),
          ).toBe(false);
          expect(
            holds(
              new URLSearchParams({ a: secret }).toString(),
              new URLSearchParams({ a: secret }).toString().slice(2),
            ),
          ).toBe(false);
          expect(holds(JSON.stringify({ a: secret }), JSON.stringify(secret).slice(1, -1))).toBe(false);
          for (const encoding of ['base64', 'base64url'] as const) {
            const text = Buffer.from(`${before}${secret}${after}`, 'utf8').toString(encoding);
            expect(redact(text)).toContain(REDACTED);
          }
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it('finds a secret with control characters, as JSON writes them', () => {
    for (const secret of ['pass\bword', 'pass\fword', 'pass\nword', 'pass\rword', 'pass\tword'])
      expect(redactor([secret])(`<${JSON.stringify(secret).slice(1, -1)}>`)).toBe('<[redacted]>');
  });

  it.each([
    ['Tr0ub%41dor"&3', JSON.stringify],
    ['Tr0ub%41dor"&3', encodeURIComponent],
    ['k%20ey/pass\\9', (secret: string) => JSON.stringify(secret).replaceAll('/', '\\/')],
    ['a&amp;b"12345678', JSON.stringify],
    ['a&amp;b"12345678', (secret: string) => secret.replace('"', '%22')],
    ['p\\u0041ss"w%30rd', JSON.stringify],
    ['p\\u0041ss"w%30rd', (secret: string) => encodeURIComponent(JSON.stringify(secret).slice(1, -1))],
    ['pass%41/word', (secret: string) => secret.replaceAll('/', '&#47;')],
  ])('finds %s, which itself holds what could be an escape, though it is escaped', (secret, written) => {
    expect(redactor([secret])(`<${written(secret)}>`)).toMatch(/^<"?\[redacted\]"?>$/);
  });

  it.each([
    ['as nginx and JavaScript do', (code: string) => `\\x${code}`],
    ['as JavaScript does', (code: string) => `\\u{${code}}`],
    ["as JScript's escape does", (code: string) => `%u00${code}`],
    ['in octal digits, as C does', (code: string) => `\\${Number.parseInt(code, 16).toString(8).padStart(3, '0')}`],
    ['by number, without a semicolon', (code: string) => `&#${Number.parseInt(code, 16)}`],
    ['by name', (code: string) => `&${{ '2f': 'sol', '2b': 'plus', '3d': 'equals', '5f': 'lowbar' }[code]};`],
  ])('finds a secret whose signs are written %s', (_, signOf) => {
    const secret = 'Q7w/E+r=tY9_zK2/pL+x';
    const written = secret.replace(/\W|_/g, (sign) => signOf(sign.charCodeAt(0).toString(16)));
    expect(redactor([secret])(`at ${written}.`)).toBe('at [redacted].');
  });

  it('finds what a plain search of every view finds, and its quick check agrees', () => {
    const piece = fc.constantFrom(...PIECES);
    const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(
        texts,
        fc.array(texts, { maxLength: 3 }),
        fc.array(texts, { maxLength: 3 }),
        (text, secrets, parts) => {
          const views = viewsOf(text);
          const sought = soughtSecrets(secrets, parts);
          expect(redactor(secrets, parts)(text)).toBe(plainly(text, secrets, parts));
          expect(sought.isIn(views)).toBe(sought.spansIn(views).length > 0);
        },
      ),
      { numRuns: runs(2_000) },
    );
  });
});

/** Pieces of which texts are made that overlap much. */
const PIECES = [
  'ab',
  'Abcdefgh',
  'ijklmnop',
  '0123',
  '/',
  '%2F',
  '%252f',
  '\\u002F',
  '&#47;',
  '&',
  '+',
  ' ',
  '"',
  '\\"',
  'é',
  'Ж',
];

/** A naive redactor, without optimizations. */
function plainly(text: string, secrets: readonly string[], partsOf: readonly string[]): string {
  const wholes = secrets.filter(({ length }) => length >= 4).flatMap(formsOfSecret);
  const parts = partsOf.flatMap((part) => {
    const bytes = bytesOf(part);
    return Array.from({ length: Math.max(0, bytes.length - 15) }, (_, at) => bytes.slice(at, at + 16));
  });
  const spans = viewsOf(text).flatMap((view) =>
    [...wholes.map(bytesOf), ...parts].flatMap((needle) =>
      placesOf(needle, view.bytes).map((at) => spanOf(view, at, at + needle.length)),
    ),
  );
  return withoutSpans(text, spans);
}

/** All positions of a text in another, including overlapping ones. */
function placesOf(needle: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) places.push(at);
  return places;
}
