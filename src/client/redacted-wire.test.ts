import { describe, expect, it } from 'vitest';
import type { ApiCall, ApiReply } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import { formatWire } from './redacted-wire.ts';
import { REDACTED } from './redaction.ts';

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

const options = { baseUrl: 'https://api.example/v' };

describe('an exchange on the wire', () => {
  it('is shown with its headers and bodies', () => {
    expect(formatWire(issue, issued, options).split('\n')).toEqual([
      '* issueToken sent at 1.000000 s on connection 3',
      '> POST /v/api/partners/v1/tokens',
      '> host: api.example',
      '> accept: application/json',
      expect.stringMatching(/^> user-agent: spillway\/\d/),
      `> authorization: Basic ${REDACTED}`,
      '> content-type: application/json',
      '>',
      '> {"external_user_id":"zoé"}',
      '< 201 after 5.123 ms',
      '< content-type: application/json',
      `< set-cookie: ${REDACTED}`,
      '<',
      `< {"access_token":"${REDACTED}","expires_in":900}`,
      '* 300 bytes sent, 200 received',
    ]);
  });

  it('tokens stay out wherever they come back', () => {
    const reply: ApiReply = {
      ...issued,
      headers: { 'x-echo': 'is opaque-1' },
      body: { access_token: 'opaque-1', note: 'opaque-1 and s3cr&t/+value', nested: [{ client_secret: 7 }] },
    };
    const text = formatWire(issue, reply, options);
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
      { ...options, streamPath: '/s/{turn_id}' },
    );
    expect(failed).toContain(`> GET /v/s/${REDACTED}\n`);
    expect(failed).toContain('< failed: ECONNRESET after 5.123 ms');
    const { body: _, ...bodiless } = issued as Extract<ApiReply, { kind: 'answer' }>;
    expect(formatWire(issue, { ...bodiless, bodyProblem: 'not-json' }, options)).toContain('* body unusable: not-json');
  });

  it('of a body without the shape of an answer: what it lacks', () => {
    const { access_token: _, ...without } = issued.kind === 'answer' ? (issued.body as Record<string, unknown>) : {};
    const lines = formatWire(issue, { ...issued, body: without } as ApiReply, options).split('\n');
    expect(lines.filter((line) => line.startsWith('* body'))).toEqual([
      '* body unusable: wrong-shape: access_token: missing',
    ]);
  });

  it('contains no terminal control characters, and limits what a service sends', () => {
    const reply: ApiReply = {
      ...issued,
      headers: { 'x-evil': '\u001b[2J\u009b31m\u202eabc\r\n\u2028\u3164' },
      body: { '\u001b]0;x\u0007': 'y'.repeat(10_000) },
    };
    const text = formatWire(issue, reply, options);
    expect(text).not.toMatch(/[^\P{C}\n]/u);
    expect(text).toContain('< x-evil: \\u{1b}[2J\\u{9b}31m\\u{202e}abc\\r\\n\\u{2028}\\u{3164}');
    expect(text.length).toBeLessThan(6_000);
  });

  it('shows a text of 4096 characters, and of a longer one as many', () => {
    const shown = (length: number) =>
      formatWire(issue, { ...issued, headers: { 'x-long': 'y'.repeat(length) } }, options);
    expect(shown(4_096)).toContain(`x-long: ${'y'.repeat(4_096)}\n`);
    expect(shown(4_097)).toContain(`x-long: ${'y'.repeat(4_096)}… (4,097 characters)\n`);
  });

  it('shows no more than 32 levels of a body, whose depth a service determines', () => {
    const body = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(formatWire(issue, { ...issued, body }, options)).toContain(`< ${'['.repeat(32)}"…"${']'.repeat(32)}`);
  });

  it('gives the full length of a text that is shown truncated', () => {
    const reply: ApiReply = { ...issued, headers: { 'x-long': 'opaque-1'.repeat(100_000) } };
    expect(formatWire(issue, reply, options)).toContain(`${REDACTED.repeat(409)}[redac… (800,000 characters)`);
  });
});
