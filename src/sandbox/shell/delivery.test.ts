import { once } from 'node:events';
import { connect } from 'node:net';
import { fetch } from 'undici';
import { describe, expect, it } from 'vitest';
import { conversation_id, type HttpClient, root } from './http-client.exam.ts';
import { announced, bodyOf, type Connection, type Leaving, start, talk, until } from './one-connection.exam.ts';

/** Sends a request to create a conversation. */
const converse = (client: HttpClient, leaving?: Leaving): Promise<Connection> =>
  talk(client.sandbox.port, creation(client, 'x', 'close'), leaving);

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

/** Number of conversations of the service. */
const known = async ({ request }: HttpClient) => (await request('GET', '/_sandbox/truth')).body.conversations;

describe('of several requests sent at once on a connection', () => {
  const atOnce = (client: HttpClient) => {
    const requests = ['a', 'b'].map((title) => creation(client, title, 'keep-alive'));
    return talk(client.sandbox.port, `${requests.join('')}${creation(client, 'c', 'close')}`);
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
    expect(await converse(client, { afterMs: 300 })).toMatchObject({ text: '', ending: 'silence' });
    await until(async () => (await known(client)) === conversations);
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
    const left = await converse(client, { atFirstByte: true });
    expect([left.text.slice(0, 12), left.ending]).toEqual(['HTTP/1.1 201', 'left']);
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

  it('an oversized answer can drip, whole, and be cut in half', async () => {
    const oversized = 'createConversation:oversized:300000';
    const dripping = await start({ faults: [oversized, 'createConversation:slow-drip:200ms'] });
    const { text, status, size } = await read(dripping);
    expect([status, size, JSON.parse(text).title]).toEqual([201, 300_000, 'big']);
    const cut = await converse(await start({ faults: ['createConversation:half-answer', oversized] }));
    expect([announced(cut), bodyOf(cut).length, cut.ending]).toEqual([300_000, 150_000, 'end']);
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
