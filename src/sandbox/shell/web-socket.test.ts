import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import { ErrorEnvelope, TurnEvent } from '../../api/index.ts';
import type { SandboxSettings } from '../config.ts';
import { conversation_id, type HttpClient, root, sendRaw, startWithUser } from './http-client.exam.ts';

const quick = {
  queued: { distribution: 'constant', value: '60ms' },
  processing: { distribution: 'constant', value: '240ms' },
} as const;

/** The stream of such a turn does not end by itself, however slow the machine is. */
const endless = { queued: { distribution: 'constant', value: '1h' } } as const;

async function withTurn(
  settings: SandboxSettings = {},
): Promise<HttpClient & { readonly turnId: string; readonly address: string }> {
  const client = await startWithUser({ latency: quick, startTime: '2026-11-21T12:00:00Z', ...settings });
  await client.request('POST', `${root}/conversations`, { conversation_id });
  const sent = await client.request('POST', `${root}/conversations/${conversation_id}/messages`, {
    client_message_id: 'm',
    message: 'x',
  });
  const turnId = String(sent.body.turn_id);
  return { ...client, turnId, address: `${client.sandbox.url.replace('http', 'ws')}${root}/turns/${turnId}/stream` };
}
const connect = (address: string, token: string) =>
  new WebSocket(address, { headers: { authorization: `Bearer ${token}` } });

/** Every event with the service time of its arrival, and the code of the close. */
async function listen(socket: WebSocket, { sandbox }: HttpClient) {
  const events: { event: TurnEvent; arrivedUs: number }[] = [];
  const { monotonicUs, serviceUs, rate } = sandbox.clock;
  socket.on('message', (data) => {
    const arrivedUs = serviceUs + (Number(process.hrtime.bigint() / 1_000n) - monotonicUs) * rate;
    events.push({ event: TurnEvent.parse(JSON.parse(String(data))), arrivedUs });
  });
  const [code] = await once(socket, 'close');
  return { events, code };
}

/** The answer to a handshake that was refused. */
async function refused(socket: WebSocket) {
  socket.on('error', () => undefined);
  const [, response] = await once(socket, 'unexpected-response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return {
    status: response.statusCode,
    headers: response.headers,
    error: ErrorEnvelope.parse(JSON.parse(String(Buffer.concat(chunks)))).error,
  };
}

describe('the stream over a WebSocket', () => {
  it('tells each event at its instant, never before, and closes after the last', async () => {
    const client = await withTurn();
    const socket = connect(client.address, client.token);
    const upgraded = once(socket, 'upgrade');
    const { events, code } = await listen(socket, client);
    const [response] = await upgraded;
    expect(response.headers.date).toMatch(/^Sat, 21 Nov 2026 12:00:0\d GMT$/);
    expect(response.headers.ratelimit).toMatch(/^"minute";r=17;t=\d+$/);
    expect(code).toBe(1000);
    expect(events.map(({ event }) => event.sequence)).toEqual(events.map((_, index) => index + 1));
    expect(events.map(({ event }) => event.type).filter((type, index, all) => type !== all[index - 1])).toEqual([
      'turn.status',
      'answer.delta',
      'turn.completed',
    ]);
    const { message } = (await client.request('GET', `${root}/turns/${client.turnId}`)).body;
    expect(events.at(-1)?.event.message).toEqual(message);
    expect(events.map(({ event }) => event.delta ?? '').join('')).toBe(message.answer);
    for (const { event, arrivedUs } of events) expect(arrivedUs / 1_000).toBeGreaterThanOrEqual(Date.parse(event.at));
  });

  it('runs on the service clock: five minutes of a turn pass in half a second at 600 to 1', async () => {
    const slow = {
      queued: { distribution: 'constant', value: '2min' },
      processing: { distribution: 'constant', value: '3min' },
    } as const;
    const client = await withTurn({ clockRate: 600, latency: slow });
    const { events, code } = await listen(connect(client.address, client.token), client);
    expect(code).toBe(1000);
    const [first, last] = [events[0]?.event.at, events.at(-1)?.event.at];
    expect(Date.parse(last ?? '') - Date.parse(first ?? '')).toBe(300_000);
  });

  it('tells a failed turn', async () => {
    const client = await withTurn({ failureShare: 1 });
    const { events, code } = await listen(connect(client.address, client.token), client);
    expect(code).toBe(1000);
    expect(events.at(-1)?.event).toMatchObject({ type: 'turn.failed', error: { code: 'internal', retryable: true } });
  });

  it('refuses the handshake like any request: 401, 404, 429, each in the envelope', async () => {
    const client = await withTurn({ limits: { rate: { max: 3 } } });
    const unknown = client.address.replace(client.turnId, conversation_id);
    expect(await refused(connect(client.address, 'nobody'))).toMatchObject({
      status: 401,
      error: { code: 'unauthorized' },
    });
    expect(await refused(connect(unknown, client.token))).toMatchObject({ status: 404, error: { code: 'not_found' } });
    const limited = await refused(connect(client.address, client.token));
    expect(limited).toMatchObject({ status: 429, error: { code: 'rate_limited', retryable: true } });
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(50);
    expect(limited.headers.ratelimit).toMatch(/^"minute";r=0;t=\d+$/);
    expect(limited.headers.date).toContain('2026');
    expect(await refused(connect(client.sandbox.url.replace('http', 'ws'), client.token))).toMatchObject({
      status: 404,
    });
  });

  it('answers an invalid handshake with 422', async () => {
    const client = await withTurn();
    const path = `${root}/turns/${client.turnId}/stream`;
    const lines = `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${client.token}\r\nconnection: upgrade\r\nupgrade: websocket\r\n`;
    const complete = 'sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';
    for (const rest of [
      '',
      'sec-websocket-version: 12\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
      'sec-websocket-version: 13\r\n',
      ...['a,,b', 'a, a', 'a;b', ''].map((list) => `${complete}sec-websocket-protocol: ${list}\r\n`),
    ]) {
      const answer = await sendRaw(client.sandbox.port, `${lines}${rest}\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 422 Unprocessable Entity\r\n/);
      expect(answer).toContain('"code":"invalid_request"');
    }
  });

  it('accepts the first of the subprotocols that a client offers', async () => {
    const client = await withTurn();
    const socket = new WebSocket(client.address, ['one', 'an-other.2'], {
      headers: { authorization: `Bearer ${client.token}` },
    });
    await once(socket, 'open');
    expect(socket.protocol).toBe('one');
    socket.terminate();
  });

  it('continues when a listener leaves or sends unexpected messages', async () => {
    const client = await withTurn({ latency: endless });
    const leaving = connect(client.address, client.token);
    await once(leaving, 'message');
    leaving.terminate();
    const loud = connect(client.address, client.token);
    await once(loud, 'open');
    loud.send('x'.repeat(2_000));
    expect((await listen(loud, client)).code).toBe(1009);
    expect((await client.request('GET', `${root}/turns/${client.turnId}`)).status).toBe(200);
  });

  it('closes its streams when the sandbox closes', async () => {
    const client = await withTurn({ latency: endless });
    const socket = connect(client.address, client.token);
    const ended = listen(socket, client);
    await once(socket, 'message');
    await client.sandbox.close();
    expect([1001, 1006]).toContain((await ended).code);
  });
});
