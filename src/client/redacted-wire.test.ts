import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiCall, ApiReply } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import { formatWire } from './redacted-wire.ts';
import { formsOfBasic, formsOfSecret, REDACTED, redactor } from './redaction.ts';

const times = {
  sentAt: 1_000_000 as Micros,
  headersAt: 1_004_000 as Micros,
  receivedAt: 1_005_123 as Micros,
  bytes: { sent: 300, received: 200 },
  connection: 3,
};
const issue: ApiCall = {
  operation: 'issueToken',
  credentials: { kind: 'basic', clientId: 'client', clientSecret: 's3cr&t/+value' },
  parameters: {},
  body: { external_user_id: 'zoé' },
  deadlineUs: 1 as Micros,
};
const issued: ApiReply = {
  ...times,
  kind: 'answer',
  status: 201,
  headers: { 'content-type': 'application/json', 'set-cookie': 'sid=abcdef' },
  body: { access_token: 'opaque-1', expires_in: 900 },
};

describe('an exchange on the wire', () => {
  it('is shown without bodies unless asked', () => {
    expect(formatWire(issue, issued, { baseUrl: 'https://api.example/v' }).split('\n')).toEqual([
      '* issueToken sent at 1.000000 s on connection 3',
      '> POST /v/api/partners/v1/tokens',
      '> host: api.example',
      '> accept: application/json',
      expect.stringMatching(/^> user-agent: spillway\/\d/),
      `> authorization: Basic ${REDACTED}`,
      '> content-type: application/json',
      '>',
      '> JSON object of 27 bytes: external_user_id',
      '< 201 after 5.123 ms',
      '< content-type: application/json',
      `< set-cookie: ${REDACTED}`,
      '<',
      '< JSON object of 44 bytes: access_token, expires_in',
      '* 300 bytes sent, 200 received',
    ]);
  });

  it('with bodies, tokens stay out wherever they come back', () => {
    const reply: ApiReply = {
      ...issued,
      headers: { 'x-echo': 'is opaque-1' },
      body: { access_token: 'opaque-1', note: 'opaque-1 and s3cr&t/+value', nested: [{ client_secret: 7 }] },
    };
    const text = formatWire(issue, reply, { bodies: true });
    expect(text).toContain(`< x-echo: is ${REDACTED}`);
    expect(text).toContain(
      `< {"access_token":"${REDACTED}","note":"${REDACTED} and ${REDACTED}","nested":[{"client_secret":"${REDACTED}"}]}`,
    );
    expect(text).toContain('> {"external_user_id":"zoé"}');
  });

  it('of a failure, of a stream, of an unusable body', () => {
    const stream: ApiCall = {
      operation: 'openStream',
      credentials: { kind: 'bearer', token: 'opaque-2' },
      parameters: { turn_id: 'opaque-2' },
      deadlineUs: 1 as Micros,
    };
    const failed = formatWire(
      stream,
      { sentAt: times.sentAt, receivedAt: times.receivedAt, bytes: times.bytes, kind: 'failed', failure: 'ECONNRESET' },
      { streamPath: '/s/{turn_id}' },
    );
    expect(failed).toContain(`> GET /s/${REDACTED}\n`);
    expect(failed).toContain('< failed: ECONNRESET after 5.123 ms');
    const { body: _, ...bodiless } = issued as Extract<ApiReply, { kind: 'answer' }>;
    expect(formatWire(issue, { ...bodiless, bodyProblem: 'not-json' })).toContain('* body unusable: not-json');
  });

  it('holds nothing that a terminal obeys, and bounds what a service sends', () => {
    const reply: ApiReply = {
      ...issued,
      headers: { 'x-evil': '\u001b[2J\u009b31m\u202eabc\r\n\u2028' },
      body: { '\u001b]0;x\u0007': 'y'.repeat(10_000) },
    };
    for (const bodies of [true, false]) {
      const text = formatWire(issue, reply, { bodies });
      expect(text).not.toMatch(/[^\P{C}\n]/u);
      expect(text).toContain('< x-evil: \\u{1b}[2J\\u{9b}31m\\u{202e}abc\\u{d}\\u{a}\\u{2028}');
      expect(text.length).toBeLessThan(6_000);
    }
  });
});

describe('a redactor', () => {
  it('of nothing changes nothing; too short a secret is none', () => {
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
  });

  it('finds what is left of Basic credentials wherever they are cut', () => {
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

  it('is made of a secret of any length, and knows the beginning of one that is very long', () => {
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
      { numRuns: 200 },
    );
  });
});
