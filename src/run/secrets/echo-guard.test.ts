import { describe, expect, it } from 'vitest';
import type { ApiReply, Credentials, OperationId } from '../../api/index.ts';
import { answered } from './answered.exam.ts';
import { echoGuard } from './echo-guard.ts';

const SECRET = 'a-secret/of+one=application';
const TOKEN = 'token-7f1d2c3b4a594687';
const bearer: Credentials = { kind: 'bearer', token: TOKEN };
const basic = { kind: 'basic', clientId: 'client-1', clientSecret: SECRET } as const;
const guard = echoGuard([basic]);
const ORDINARY = { date: 'Mon, 23 Nov 2026 14:44:12 GMT', 'content-type': 'application/json' };

const answer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = ORDINARY): ApiReply =>
  answered(status, body, headers);

const kept = (operation: OperationId, credentials: Credentials, reply: ApiReply) =>
  guard.reply({ operation, credentials }, reply);

const turn = { turn_id: 'x', conversation_id: 'y', created_at: 'z' };
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('in echoes of a service', () => {
  it.each([
    ['of the application, to a call with a token', SECRET],
    ['percent-encoded', encodeURIComponent(SECRET)],
    ['as hexadecimal digits', Buffer.from(SECRET).toString('hex').toUpperCase()],
    ['beside its client', Buffer.from(`client-1:${SECRET}`).toString('base64')],
    ['in part', SECRET.slice(3, 22)],
    ['beside its client, shortened', Buffer.from(`client-1:${SECRET}`).toString('base64').slice(5, -1)],
    ['as hexadecimal digits, shortened', Buffer.from(SECRET).toString('hex').slice(0, 20)],
    ['percent-encoded, shortened', encodeURIComponent(SECRET).slice(3, -2)],
    ['in base64 beside something else, shortened', Buffer.from(`ab${SECRET}`).toString('base64url').slice(3, -3)],
  ])('a secret %s is removed from codes and headers', (_, echoed) => {
    const reply = kept(
      'sendMessage',
      bearer,
      answer(429, { error: { code: `C-${echoed}` } }, { 'x-ratelimit-limit': `D-${echoed}` }),
    );
    expect(reply).toMatchObject({
      body: { error: { code: 'C-[redacted]' } },
      headers: { 'x-ratelimit-limit': 'D-[redacted]' },
    });
  });

  it.each([
    ['as a whole', TOKEN, '[redacted]'],
    ['in part, in lower case', 'PART-of-a-Token-in-Capitals'.toLowerCase().slice(3, 24), '[redacted]'],
  ])('a token in the name of a header is removed %s', (_, echoed, clean) => {
    const token = echoed === TOKEN ? TOKEN : 'PART-of-a-Token-in-Capitals';
    const reply = answer(200, { ...turn, status: 'queued' }, { [`x-ratelimit-${echoed}`]: '1', server: 'x' });
    expect(kept('readTurn', { kind: 'bearer', token }, reply)).toMatchObject({
      headers: { [`x-ratelimit-${clean}`]: '1', server: 'x' },
    });
    expect(JSON.stringify(kept('readTurn', { kind: 'bearer', token }, reply))).not.toContain(echoed);
  });

  it('a client id is removed from answers to its own token requests, also in part', () => {
    const client = { kind: 'basic', clientId: 'client-of-a-partner-1', clientSecret: SECRET } as const;
    const refused = answer(401, { error: { code: 'no client-of-a-partner' } }, { 'x-ratelimit-key': 'of-a-partner-1' });
    expect(kept('issueToken', client, refused)).toMatchObject({
      body: { error: { code: 'no [redacted]' } },
      headers: { 'x-ratelimit-key': 'of-a-partner-1' },
    });
    expect(kept('sendMessage', bearer, refused)).toMatchObject({ body: { error: { code: 'no client-of-a-partner' } } });
  });

  it('a token in another case is removed', () => {
    const reply = kept('sendMessage', bearer, answer(500, { error: { code: TOKEN.toUpperCase() } }));
    expect(reply).toMatchObject({ body: { error: { code: '[redacted]' } } });
  });

  it('a new token is removed from the headers of its answer, and kept in the body', () => {
    const reply = kept('issueToken', basic, answer(201, { access_token: TOKEN }, { 'x-ratelimit-key': `A-${TOKEN}` }));
    expect(reply).toMatchObject({ body: { access_token: TOKEN }, headers: { 'x-ratelimit-key': 'A-[redacted]' } });
  });

  it.each([
    ['sendMessage', { ...turn, status: `in ${TOKEN}` }, { ...turn, status: 'in [redacted]' }],
    ['readTurn', { ...turn, status: `in ${TOKEN}` }, { ...turn, status: 'in [redacted]' }],
    [
      'readTurn',
      { ...turn, status: 'failed', error: { code: SECRET } },
      { ...turn, status: 'failed', error: { code: '[redacted]' } },
    ],
    [
      'readHistory',
      { messages: [{ role: 'user', content: TOKEN }, { role: TOKEN }] },
      { messages: [{ role: 'user', content: TOKEN }, { role: '[redacted]' }] },
    ],
    ['rateAnswer', { success: true, feedback: { rating: TOKEN } }, { feedback: { rating: '[redacted]' } }],
  ] as const)('kept words of successful answers are cleaned: %s', (operation, body, clean) => {
    expect(kept(operation, bearer, answer(200, body))).toMatchObject({ body: clean });
  });

  it('what refusals are judged by is kept, even if it contains a secret', () => {
    const careless = echoGuard([{ kind: 'basic', clientId: 'c', clientSecret: 'rate' }], {
      codes: new Set(['rate_limited']),
    });
    const headers = { ratelimit: '"minute";r=0', 'x-ratelimit-remaining': '3', 'x-rate': 'rate' };
    const refused = answer(429, { error: { code: 'rate_limited' } }, headers);
    expect(careless.reply({ operation: 'readTurn', credentials: bearer }, refused)).toMatchObject({
      body: { error: { code: 'rate_limited' } },
      headers: { ratelimit: '"minute";r=0', 'x-ratelimit-remaining': '3', 'x-[redacted]': '[redacted]' },
    });
  });

  it('a Date header that is not a date is cleaned', () => {
    const reply = kept('readTurn', bearer, answer(200, { ...turn, status: 'queued' }, { date: `B-${TOKEN}` }));
    expect(reply).toMatchObject({ headers: { date: 'B-[redacted]' } });
  });

  it('an ordinary success is not searched', () => {
    const reply = answer(202, { ...turn, status: 'queued' });
    expect(kept('sendMessage', bearer, reply)).toBe(reply);
  });

  it('a body with thousands of levels is handled like any other', () => {
    const reply = kept('sendMessage', bearer, answer(500, { error: { code: TOKEN, details: nested(100_000) } }));
    expect(reply).toMatchObject({ status: 500, body: { error: { code: '[redacted]' } } });
  });

  it.each([
    ['as it was sent', `Basic ${Buffer.from('puser:proxy-secret').toString('base64')}`, 'Basic [redacted]'],
    ['in clear', 'puser:proxy-secret', '[redacted]'],
    ['without the user', 'proxy-secret', '[redacted]'],
  ])('the credentials of a proxy are removed %s', (_, echoed, clean) => {
    const behind = echoGuard([basic], { proxy: 'http://puser:proxy%2Dsecret@proxy.example:3128' });
    const reply = answer(407, { error: { code: echoed } }, { 'x-ratelimit-proxy': echoed });
    expect(behind.reply({ operation: 'sendMessage', credentials: bearer }, reply)).toMatchObject({
      body: { error: { code: clean } },
      headers: { 'x-ratelimit-proxy': clean },
    });
  });

  it('for a proxy without credentials, or with only a user name, nothing else is removed', () => {
    const reply = answer(407, { error: { code: 'proxy.example' } }, { 'x-ratelimit-proxy': 'user-key-1' });
    const kept = (proxy: string) =>
      echoGuard([basic], { proxy }).reply({ operation: 'sendMessage', credentials: bearer }, reply);
    expect(kept('http://proxy.example:3128')).toMatchObject({ headers: { 'x-ratelimit-proxy': 'user-key-1' } });
    expect(kept('http://user-key-1@proxy.example:3128')).toMatchObject({
      body: { error: { code: 'proxy.example' } },
      headers: { 'x-ratelimit-proxy': '[redacted]' },
    });
  });

  it('an earlier token of the run is removed from answers to other users too', () => {
    const others = echoGuard([basic]);
    const first = 'first-0d1e2f3a4b5c6d7e';
    others.reply({ operation: 'issueToken', credentials: basic }, answer(201, { access_token: first }));
    others.reply({ operation: 'issueToken', credentials: basic }, answer(201, { access_token: 'second-8f9a0b1c2d3e' }));
    const said = answer(429, { error: { code: `C-${first}` } }, { 'retry-after': `A-${first}`, [`x-${first}`]: '1' });
    expect(others.reply({ operation: 'sendMessage', credentials: bearer }, said)).toMatchObject({
      body: { error: { code: 'C-[redacted]' } },
      headers: { 'retry-after': 'A-[redacted]', 'x-[redacted]': '1' },
    });
    expect(others.text({ credentials: { kind: 'none' } }, first.toUpperCase())).toBe('[redacted]');
  });
});
