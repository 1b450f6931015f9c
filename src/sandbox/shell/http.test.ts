import { describe, expect, it } from 'vitest';
import { ErrorEnvelope, Turn } from '../../api/index.ts';
import { conversation_id, root, sendRaw, startWithUser } from './http-client.exam.ts';

const instant = {
  queued: { distribution: 'constant', value: '10ms' },
  processing: { distribution: 'constant', value: '20ms' },
} as const;
const until = async <T>(read: () => Promise<T>, good: (value: T) => boolean): Promise<T> => {
  for (let attempt = 0; ; attempt++) {
    const value = await read();
    if (good(value) || attempt > 200) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};

describe('the sandbox over HTTP', () => {
  it('serves a whole journey', async () => {
    const { request } = await startWithUser({ latency: instant, limits: { rate: { max: 500 } } });
    const created = await request('POST', `${root}/conversations`, { conversation_id, title: 'Été' });
    expect([created.status, created.body.title]).toEqual([201, 'Été']);
    expect(created.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(created.headers.get('ratelimit-policy')).toBe('"minute";q=500;w=60');
    const messages = `${root}/conversations/${conversation_id}/messages`;
    const sent = await request('POST', messages, {
      client_message_id: 'm1',
      message: 'hello',
      location: { city: 'Genève' },
    });
    expect([sent.status, sent.body.status]).toEqual([202, 'queued']);
    const done = await until(
      () => request('GET', `${root}/turns/${sent.body.turn_id}`),
      ({ body }) => body.status === 'completed',
    );
    const turn = Turn.parse(done.body);
    expect(turn.message?.metadata.latency_ms).toBe(20);
    const history = await request('GET', `${messages}?limit=1&offset=1`);
    expect(history.body.messages.map((message: { message_id: string }) => message.message_id)).toEqual([
      turn.message?.assistant_message_id,
    ]);
    const rated = await request('POST', `${root}/messages/${turn.message?.assistant_message_id}/feedback`, {
      rating: 'down',
    });
    expect([rated.status, rated.body]).toEqual([200, { success: true, feedback: { rating: 'down' } }]);
  });

  it.each([
    ['GET', '/', undefined, {}, 404, 'not_found'],
    ['GET', '/api/partners/v1/conversations', undefined, {}, 404, 'not_found'],
    ['HEAD', '/api/partners/v1/turns/x', undefined, {}, 404, undefined],
    ['DELETE', '/api/partners/v1/turns/x', undefined, {}, 404, 'not_found'],
    ['POST', '/nowhere', { a: 1 }, {}, 404, 'not_found'],
    ['GET', '/%zz', undefined, {}, 404, 'not_found'],
    ['GET', '/api/partners/v1/turns/%zz', undefined, {}, 422, 'invalid_request'],
    ['GET', '/api/partners/v1/turns/%zz?a=%zz', undefined, { authorization: 'Bearer x' }, 401, 'unauthorized'],
    ['GET', `/api/partners/v1/turns/${'x'.repeat(3_000)}`, undefined, {}, 422, 'invalid_request'],
    ['POST', '/api/partners/v1/messages/%zz/feedback', { rating: 'up' }, {}, 422, 'invalid_request'],
    ['GET', '/_sandbox/truth', undefined, {}, 404, 'not_found'],
    ['GET', `/api/partners/v1/turns/${'x'.repeat(1_000)}`, undefined, {}, 422, 'invalid_request'],
    ['POST', '/api/partners/v1/conversations', undefined, {}, 422, 'invalid_request'],
    ['POST', '/api/partners/v1/conversations', '{"title"', {}, 422, 'invalid_request'],
    ['POST', '/api/partners/v1/conversations', '{}', { 'content-type': 'text/plain' }, 422, 'invalid_request'],
    ['POST', '/api/partners/v1/conversations', '{}', { 'content-type': 'nonsense' }, 422, 'invalid_request'],
    [
      'POST',
      '/api/partners/v1/conversations',
      '{}',
      { 'content-type': 'nonsense', authorization: 'Bearer x' },
      401,
      'unauthorized',
    ],
    ['POST', '/api/partners/v1/conversations', 'x'.repeat(65_537), {}, 413, 'payload_too_large'],
    ['POST', '/api/partners/v1/conversations', 'x'.repeat(1_000_000), {}, 413, 'payload_too_large'],
    ['POST', '/api/partners/v1/conversations', 'x'.repeat(65_537), { authorization: 'Bearer x' }, 401, 'unauthorized'],
    ['GET', `/api/partners/v1/turns/${conversation_id}/stream`, undefined, {}, 422, 'invalid_request'],
    [
      'POST',
      '/api/partners/v1/tokens',
      { external_user_id: 'u' },
      { authorization: 'Basic eDp5' },
      401,
      'unauthorized',
    ],
  ])('%s %.60s answers in the envelope', async (method, path, json, headers, status, code) => {
    const { request } = await startWithUser();
    const answer = await request(method, path, json, headers);
    expect(answer.status).toBe(status);
    if (code === undefined) return;
    expect(ErrorEnvelope.parse(answer.body).error.code).toBe(code);
  });

  it('reads the body behind a path that it cannot read: it is neither missed nor let through if too large', async () => {
    const { request } = await startWithUser();
    const path = `${root}/conversations/%zz/messages`;
    const sent = await request('POST', path, { client_message_id: 'm', message: 'x' });
    expect([sent.status, sent.body.error.message]).toEqual([422, 'conversation_id: Invalid UUID']);
    const large = await request('POST', path, 'x'.repeat(65_537));
    expect([large.status, large.body.error.code]).toEqual([413, 'payload_too_large']);
  });

  it('stops reading an endless body, answers 413 and closes the connection', async () => {
    const { sandbox, token } = await startWithUser();
    const head = `POST ${root}/conversations HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`;
    const block = 'x'.repeat(1_200_000);
    const answer = await sendRaw(
      sandbox.port,
      `${head}transfer-encoding: chunked\r\n\r\n${block.length.toString(16)}\r\n${block}\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toMatch(/connection: close/i);
    expect(answer).toContain('"code":"payload_too_large"');
  });

  it('answers invalid HTTP in the envelope, closes the connection and serves others', async () => {
    const { sandbox, request } = await startWithUser();
    const answer = await sendRaw(sandbox.port, 'HELLO\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer).toContain('"code":"invalid_request"');
    const flood = await sendRaw(sandbox.port, `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`);
    expect(flood).toMatch(/^HTTP\/1\.1 431 /);
    expect(flood).toContain('"message":"the request line and headers must not exceed 16384 bytes"');
    expect((await request('POST', `${root}/conversations`, {})).status).toBe(201);
  });

  it('admits exactly 20 of 50 parallel requests, and exactly 2 of 30 parallel messages', async () => {
    const { request } = await startWithUser({ startTime: '2026-11-21T12:00:00Z' });
    const statuses = (
      await Promise.all(Array.from({ length: 50 }, () => request('POST', `${root}/conversations`, {})))
    ).map((a) => a.status);
    expect([statuses.filter((s) => s === 201).length, statuses.filter((s) => s === 429).length]).toEqual([20, 30]);

    const other = await startWithUser({ limits: { rate: { max: 1_000 } } });
    await other.request('POST', `${root}/conversations`, { conversation_id });
    const send = (i: number) =>
      other.request('POST', `${root}/conversations/${conversation_id}/messages`, {
        client_message_id: `m${i}`,
        message: 'x',
      });
    const codes = (await Promise.all(Array.from({ length: 30 }, (_, i) => send(i)))).map(
      (a) => a.body.error?.code ?? a.status,
    );
    expect([codes.filter((c) => c === 202).length, codes.filter((c) => c === 'concurrency_limited').length]).toEqual([
      2, 28,
    ]);
  });

  it('gives parallel equal messages the same turn', async () => {
    const { request } = await startWithUser({ limits: { rate: { max: 1_000 } } });
    await request('POST', `${root}/conversations`, { conversation_id });
    const json = { client_message_id: 'same', message: 'x' };
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => request('POST', `${root}/conversations/${conversation_id}/messages`, json)),
    );
    expect(new Set(answers.map((a) => a.status))).toEqual(new Set([202]));
    expect(new Set(answers.map((a) => a.body.turn_id)).size).toBe(1);
  });

  it('runs its clock from the start time at the rate asked for; Date and Retry-After follow it', async () => {
    const { sandbox, request } = await startWithUser({
      clockRate: 600,
      startTime: '2030-01-01T00:00:00Z',
      limits: { rate: { max: 1 } },
      control: true,
    });
    const { monotonicUs, serviceUs, rate } = sandbox.clock;
    expect([serviceUs, rate]).toEqual([Date.UTC(2030, 0, 1) * 1_000, 600]);
    const mapped = () => serviceUs + Math.floor((Number(process.hrtime.bigint() / 1_000n) - monotonicUs) * rate);
    const before = mapped();
    const { at } = (await request('GET', '/_sandbox/truth')).body;
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(mapped());

    const refused = await until(
      () => request('POST', `${root}/conversations`, {}),
      ({ status }) => status === 429,
    );
    const date = Date.parse(refused.headers.get('date') ?? '');
    expect(new Date(date).getUTCFullYear()).toBe(2030);
    const seconds = Number(refused.headers.get('retry-after'));
    // Date is rounded down to the second and Retry-After up: together they are the minute, exactly.
    expect((date / 1_000 + seconds) % 60).toBe(0);
    await new Promise((resolve) => setTimeout(resolve, Math.ceil((seconds / 600) * 1_000) + 2));
    const { limits } = (await request('GET', '/_sandbox/truth')).body;
    expect(limits.rate.refused).toBe(1);
    expect((await request('POST', `${root}/conversations`, {})).status).toBe(201);
  });
});
