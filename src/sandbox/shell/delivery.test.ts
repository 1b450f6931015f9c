import { once } from 'node:events';
import { connect } from 'node:net';
import { fetch } from 'undici';
import { describe, expect, it } from 'vitest';
import WebSocket from 'ws';
import type { SandboxSettings } from '../config.ts';
import { type HttpClient, startWithUser } from './http-client.exam.ts';

const root = '/api/partners/v1';
const conversation_id = '0c2b2d0e-3a66-4b3f-9d51-1f1d0a0f7a01';
const limits = { rate: { max: 1_000 } };
const start = (settings: SandboxSettings) => startWithUser({ limits, control: true, ...settings });

/** Everything that a client receives on one connection. */
interface Connection {
  readonly text: string;
  readonly ending: 'end' | string;
  readonly lastedMs: number;
}

/** Sends a request to create a conversation. `patienceMs`: closes the connection after this long without data. */
const converse = (client: HttpClient, patienceMs?: number): Promise<Connection> =>
  talk(client.sandbox.port, creation(client, 'x', 'close'), patienceMs);

function creation({ token }: HttpClient, title: string, connection: 'close' | 'keep-alive'): string {
  const body = JSON.stringify({ title });
  const head = [
    `POST ${root}/conversations HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    `connection: ${connection}`,
  ].join('\r\n');
  return `${head}\r\n\r\n${body}`;
}

function handshake({ sandbox, token }: HttpClient, turnId: string, patienceMs?: number): Promise<Connection> {
  const head = [
    `GET ${root}/turns/${turnId}/stream HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${token}`,
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    `sec-websocket-key: ${'A'.repeat(22)}==`,
  ].join('\r\n');
  return talk(sandbox.port, `${head}\r\n\r\n`, patienceMs);
}

function talk(port: number, request: string, patienceMs = 20_000): Promise<Connection> {
  return new Promise((resolve) => {
    const began = performance.now();
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    const finish = (ending: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text, ending, lastedMs: performance.now() - began });
    };
    const timer = setTimeout(() => finish('silence'), patienceMs);
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    socket.on('end', () => finish('end')).on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? 'error'));
  });
}

const bodyOf = ({ text }: Connection) => text.slice(text.indexOf('\r\n\r\n') + 4);
const announced = ({ text }: Connection) => Number(/content-length: (\d+)/i.exec(text)?.[1]);
async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; !(await condition()); attempt++) {
    if (attempt > 500) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Number of conversations of the service. */
const known = async ({ request }: HttpClient) => (await request('GET', '/_sandbox/truth')).body.conversations;

describe('of several requests sent at once on a connection', () => {
  const atOnce = (client: HttpClient) => {
    const requests = ['a', 'b'].map((title) => creation(client, title, 'keep-alive'));
    return talk(client.sandbox.port, `${requests.join('')}${creation(client, 'c', 'close')}`, 5_000);
  };
  const titles = ({ text }: Connection) => [...text.matchAll(/"title":"(\w)"/g)].map(([, title]) => title);

  it.each([
    ['all late', 'createConversation:latency:constant:100ms'],
    ['the first one later than the next', 'createConversation:latency:constant:400ms:#1'],
  ])('each is answered in its turn: %s', async (_, first) => {
    const client = await start({ faults: [first, 'createConversation:latency:constant:100ms:#2'] });
    const connection = await atOnce(client);
    expect(connection.ending).toBe('end');
    expect(titles(connection)).toEqual(['a', 'b', 'c']);
  });

  it('one resets the connection when it is its turn', async () => {
    const faults = ['createConversation:latency:constant:300ms:#1', 'createConversation:reset-after:#2'];
    const connection = await atOnce(await start({ faults }));
    expect(connection.ending).toBe('ECONNRESET');
    expect(connection.lastedMs).toBeGreaterThanOrEqual(300);
  });
});

describe('faults over sockets', () => {
  it('hold an answer back on the service clock', async () => {
    const client = await start({ clockRate: 100, faults: ['createConversation:latency:constant:30s'] });
    const seen = await converse(client);
    expect(seen.text).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    expect(JSON.parse(bodyOf(seen)).title).toBe('x');
    expect(seen.lastedMs).toBeGreaterThanOrEqual(300);
    expect(seen.lastedMs).toBeLessThan(15_000);
  });

  it('decide at once what they answer late', async () => {
    const client = await start({ faults: ['createConversation:latency:constant:1s'] });
    let answeredAt = Number.POSITIVE_INFINITY;
    const waiting = converse(client).then((seen) => {
      answeredAt = performance.now();
      return seen;
    });
    await until(async () => (await known(client)) === 1);
    const knownAt = performance.now();
    expect((await waiting).text).toContain(' 201 ');
    expect(knownAt).toBeLessThan(answeredAt);
  });

  it.each([
    ['reset-before', 0],
    ['reset-after', 1],
  ])('%s resets the connection and leaves %i conversation', async (fault, conversations) => {
    const client = await start({ faults: [`createConversation:${fault}`] });
    expect(await converse(client)).toMatchObject({ text: '', ending: 'ECONNRESET' });
    expect(await known(client)).toBe(conversations);
  });

  it.each([
    ['stall', 1],
    ['stall:before', 0],
  ])('%s never answers, leaves %i conversation, and the sandbox still closes', async (fault, conversations) => {
    const client = await start({ faults: [`createConversation:${fault}`] });
    expect(await converse(client, 300)).toMatchObject({ text: '', ending: 'silence' });
    expect(await known(client)).toBe(conversations);
    const left = converse(client);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await client.sandbox.close();
    expect((await left).text).toBe('');
  });

  it('half-answer sends half of what it announced, then closes', async () => {
    const client = await start({ faults: ['createConversation:half-answer'] });
    const seen = await converse(client);
    expect(seen.text).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
    expect(bodyOf(seen)).toHaveLength(Math.floor(announced(seen) / 2));
    expect(seen.ending).toBe('end');
    expect(await known(client)).toBe(1);
  });

  it('slow-drip sends the whole answer in many pieces over its time', async () => {
    const client = await start({ faults: ['createConversation:slow-drip:500ms'] });
    const pieces: number[] = [];
    const answer = await fetch(`${client.sandbox.url}${root}/conversations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
      body: '{"title":"slow"}',
    });
    const headersAt = performance.now();
    let text = '';
    for await (const chunk of answer.body ?? []) {
      pieces.push(performance.now() - headersAt);
      text += Buffer.from(chunk as Uint8Array).toString();
    }
    expect(JSON.parse(text).title).toBe('slow');
    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.at(-1)).toBeGreaterThan(400);
  });

  it('a dripping answer stops when its client leaves, and the service goes on', async () => {
    const client = await start({ faults: ['createConversation:slow-drip:1h'] });
    expect((await converse(client, 100)).text).toMatch(/^HTTP\/1\.1 201/);
    expect((await client.request('GET', `${root}/conversations/${conversation_id}/messages`)).status).toBe(404);
  });

  it('wrong-type sends the true body under another content type', async () => {
    const client = await start({ faults: ['createConversation:wrong-type:text/csv'] });
    const seen = await converse(client);
    expect(seen.text).toMatch(/\r\ncontent-type: text\/csv\r\n/);
    expect(JSON.parse(bodyOf(seen)).title).toBe('x');
  });

  it('oversized pads the answer with spaces to its size, and reading all of it is reading the answer', async () => {
    const client = await start({ faults: ['createConversation:oversized:3000000'] });
    const { text, status, size } = await read(client);
    expect([status, size]).toEqual([201, 3_000_000]);
    expect(JSON.parse(text).title).toBe('big');
    expect(text.trimEnd().length).toBeLessThan(300);
  });

  it('an oversized answer that nobody reads waits outside our memory', async () => {
    const client = await start({ faults: ['createConversation:oversized:1073741824'] });
    const before = process.memoryUsage().rss;
    const socket = connect(client.sandbox.port, '127.0.0.1');
    const head = `POST ${root}/conversations HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${client.token}\r\n`;
    socket.write(`${head}content-type: application/json\r\ncontent-length: 2\r\n\r\n{}`);
    await once(socket, 'readable');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1_048_576);
    socket.destroy();
  });

  it('clock-skew shows in Date and created_at, and nowhere else', async () => {
    const client = await start({ startTime: '2026-11-21T12:00:00Z', faults: ['createConversation:clock-skew:+1h'] });
    const seen = await converse(client);
    expect(seen.text).toMatch(/\r\ndate: Sat, 21 Nov 2026 13:00:0\d GMT\r\n/);
    expect(JSON.parse(bodyOf(seen)).created_at).toMatch(/^2026-11-21T13:00:0/);
    const { at } = (await client.request('GET', '/_sandbox/truth')).body;
    expect(new Date(at / 1_000).toISOString()).toMatch(/^2026-11-21T12:00:/);
  });

  it('tell in the truth how often each struck', async () => {
    const client = await start({ faults: ['createConversation:status-503:#2', '*:stall:#1000'] });
    const statuses = [await converse(client), await converse(client), await converse(client)].map(({ text }) =>
      text.slice(9, 12),
    );
    expect(statuses).toEqual(['201', '503', '201']);
    const { faults } = (await client.request('GET', '/_sandbox/truth')).body;
    expect(faults).toEqual({ 'createConversation:status-503:#2': 1, '*:stall:#1000': 0 });
  });
});

async function read({ sandbox, token }: HttpClient) {
  const answer = await fetch(`${sandbox.url}${root}/conversations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"title":"big"}',
  });
  const text = await answer.text();
  return { text, status: answer.status, size: Buffer.byteLength(text) };
}

describe('faults of streams over sockets', () => {
  const instant = {
    queued: { distribution: 'constant', value: '1ms' },
    processing: { distribution: 'constant', value: '1ms' },
  } as const;
  const withTurn = async (...faults: string[]) => {
    const client = await start({ latency: instant, faults });
    await client.request('POST', `${root}/conversations`, { conversation_id });
    const json = { client_message_id: 'm', message: 'x' };
    const sent = await client.request('POST', `${root}/conversations/${conversation_id}/messages`, json);
    return { client, turnId: String(sent.body.turn_id) };
  };
  const listen = async ({ sandbox, token }: HttpClient, turnId: string) => {
    const url = `${sandbox.url.replace('http', 'ws')}${root}/turns/${turnId}/stream`;
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
    const sequences: number[] = [];
    socket.on('message', (data) => sequences.push(JSON.parse(String(data)).sequence));
    const began = performance.now();
    const [code] = await once(socket, 'close');
    return { sequences, code, lastedMs: performance.now() - began };
  };

  it('stream-drop cuts without a close frame after as many events as it says', async () => {
    const { client, turnId } = await withTurn('openStream:stream-drop:2:#1', 'openStream:stream-drop:0:#2');
    expect(await listen(client, turnId)).toMatchObject({ sequences: [1, 2], code: 1006 });
    expect(await listen(client, turnId)).toMatchObject({ sequences: [], code: 1006 });
    const { sequences, code } = await listen(client, turnId);
    expect([sequences[0], sequences.length > 3, code]).toEqual([1, true, 1000]);
  });

  it('stream-duplicate and stream-reorder tell events twice, and in the wrong order', async () => {
    const { client, turnId } = await withTurn('openStream:stream-duplicate:#1', 'openStream:stream-reorder:#2');
    const twice = await listen(client, turnId);
    expect(twice.sequences.slice(0, 4)).toEqual([1, 1, 2, 2]);
    const { sequences, code } = await listen(client, turnId);
    expect(sequences).toHaveLength(twice.sequences.length / 2);
    expect(sequences.slice(-2)).toEqual([sequences.length, sequences.length - 1]);
    expect(code).toBe(1000);
  });

  it('a handshake can be held back, reset before and after, stalled, and refused', async () => {
    const { client, turnId } = await withTurn(
      'openStream:latency:constant:300ms:#1',
      'openStream:reset-before:#2',
      'openStream:reset-after:#3',
      'openStream:stall:#4-5',
      'openStream:status-503:#6',
    );
    const late = await listen(client, turnId);
    expect([late.code, late.lastedMs >= 300]).toEqual([1000, true]);
    expect(await handshake(client, turnId)).toMatchObject({ text: '', ending: 'ECONNRESET' });
    expect(await handshake(client, turnId)).toMatchObject({ text: '', ending: 'ECONNRESET' });
    expect(await handshake(client, turnId, 200)).toMatchObject({ text: '', ending: 'silence' });
    const stalled = handshake(client, turnId);
    const struck = async () => (await client.request('GET', '/_sandbox/truth')).body.faults;
    await until(async () => (await struck())['openStream:stall:#4-5'] === 2);
    const refused = await handshake(client, turnId);
    expect(refused.text).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(JSON.parse(bodyOf(refused)).error.code).toBe('unavailable');
    await client.sandbox.close();
    expect((await stalled).text).toBe('');
  });

  it('a refused handshake can be cut in half, dripped and padded like any answer', async () => {
    const { client, turnId } = await withTurn('*:half-answer:#4', '*:slow-drip:200ms:#5', '*:oversized:5000:#6');
    const wrong = turnId.replace(/^.{8}/, '00000000');
    const half = await handshake(client, wrong);
    expect(half.text).toMatch(/^HTTP\/1\.1 404 /);
    expect(bodyOf(half)).toHaveLength(Math.floor(announced(half) / 2));
    const dripped = await handshake(client, wrong);
    expect(dripped.lastedMs).toBeGreaterThanOrEqual(200);
    expect([JSON.parse(bodyOf(dripped)).error.code, dripped.ending]).toEqual(['not_found', 'end']);
    expect(bodyOf(await handshake(client, wrong))).toHaveLength(5_000);
  });
});
