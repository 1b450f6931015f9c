import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { conversation_id, type HttpClient, root, sendRaw, startWithUser } from './http-client.exam.ts';

const key = 'AAAAAAAAAAAAAAAAAAAAAA==';
const h2c = ['connection: Upgrade, HTTP2-Settings', 'upgrade: h2c', 'http2-settings: AAMAAABkAAQAoAAAAAIAAAAA'];

const message = (first: string, { token }: HttpClient, lines: readonly string[], body = '') =>
  `${[first, 'host: x', `authorization: Bearer ${token}`, ...lines].join('\r\n')}\r\n\r\n${body}`;
const post = (client: HttpClient, lines: readonly string[], body: string) =>
  message(
    `POST ${root}/conversations HTTP/1.1`,
    client,
    ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`, ...lines],
    body,
  );
const last = (client: HttpClient) => message(`GET ${root}/nothing HTTP/1.1`, client, ['connection: close']);
/** Whether the connection goes on after a request with a body; newer Nodes lose what follows, so it is closed. */
const goesOn = !('shouldUpgradeCallback' in createServer());
const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));

describe('a request that asks for another protocol', () => {
  it.each<[string, readonly string[]]>([
    ['h2c', h2c],
    ['TLS/1.0', ['connection: upgrade', 'upgrade: TLS/1.0']],
    ['websocket, where there is no stream', ['connection: Upgrade', 'upgrade: websocket']],
    ['several', ['connection: upgrade', 'upgrade: websocket, h2c, nonsense']],
    ['nothing that is one', ['connection: upgrade', 'upgrade:']],
  ])('%s: is served with its body, and nothing after it is lost unnoticed', async (_name, lines) => {
    const client = await startWithUser();
    const text = await sendRaw(
      client.sandbox.port,
      post(client, lines, JSON.stringify({ conversation_id, title: 'Été 😀' })) + last(client),
    );
    expect(statusesIn(text)).toEqual(goesOn ? [201, 404] : [201]);
    expect(/^connection: close/im.test(text)).toBe(true);
    expect(text).toContain('"title":"Été 😀"');
    expect(text).not.toMatch(/^(upgrade|connection: upgrade)/im);
  });

  it('may come a byte at a time, in chunks, and after others', async () => {
    const client = await startWithUser();
    const chunked = message(
      `POST ${root}/conversations HTTP/1.1`,
      client,
      ['content-type: application/json', 'transfer-encoding: chunked', ...h2c],
      '8\r\n{"title"\r\n6\r\n:"hey"\r\n1\r\n}\r\n0\r\n\r\n',
    );
    const socket = connect({ port: client.sandbox.port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    const all = post(client, [], '{}') + chunked + (goesOn ? chunked + last(client) : '');
    for (const byte of all) {
      socket.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await once(socket, 'close');
    expect(statusesIn(text)).toEqual(goesOn ? [201, 201, 201, 404] : [201, 201]);
    expect(text.match(/"title":"hey"/g)).toHaveLength(goesOn ? 2 : 1);
  });

  it('is answered in its turn, however long the answers before it take', async () => {
    const client = await startWithUser({
      limits: { rate: 1_000 },
      faults: ['createConversation:latency:constant:60ms:p=0.3'],
    });
    const titles = Array.from({ length: 40 }, (_, i) => `t${i}`);
    const requests = titles.map((title, i) => post(client, i % 3 === 1 ? h2c : [], JSON.stringify({ title })));
    const text = await sendRaw(client.sandbox.port, requests.join('') + last(client));
    expect([...text.matchAll(/"title":"(t\d+)"/g)].map(([, title]) => title)).toEqual(
      goesOn ? titles : titles.slice(0, 2),
    );
  });

  it('may be any operation: a stream asked for otherwise is refused as a request that is no handshake', async () => {
    const client = await startWithUser();
    const stream = message(`GET ${root}/turns/${conversation_id}/stream HTTP/1.1`, client, [...h2c]);
    expect(statusesIn(await sendRaw(client.sandbox.port, stream + last(client)))).toEqual([422, 404]);
    const history = message(`GET ${root}/conversations/${conversation_id}/messages HTTP/1.1`, client, [...h2c]);
    expect(statusesIn(await sendRaw(client.sandbox.port, history + last(client)))).toEqual([404, 404]);
    const docs = message('GET /openapi.json HTTP/1.1', client, [...h2c]);
    expect(statusesIn(await sendRaw(client.sandbox.port, docs + last(client)))).toEqual([200, 404]);
  });

  it('may be a handshake with a body, which is neither frames nor the next request', async () => {
    const client = await startWithUser();
    const lines = [
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      `sec-websocket-key: ${key}`,
    ];
    const path = `${root}/turns/${conversation_id}/stream`;
    for (const [length, rest] of [
      ['content-length: 2', '{}'],
      ['transfer-encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'],
    ] as const) {
      const stream = message(`GET ${path} HTTP/1.1`, client, [length, ...lines], rest);
      const text = await sendRaw(client.sandbox.port, stream + last(client));
      expect(statusesIn(text)).toEqual(goesOn ? [422, 404] : [422]);
    }
  });

  it('may ask for the end of the connection, too', async () => {
    const client = await startWithUser();
    const lines = ['connection: Upgrade, close', 'upgrade: h2c'];
    const text = await sendRaw(client.sandbox.port, message(`GET ${root}/nothing HTTP/1.1`, client, lines));
    expect(statusesIn(text)).toEqual([404]);
    expect(text).toMatch(/^connection: close/im);
  });

  it('counts once, like any other', async () => {
    const client = await startWithUser({ control: true });
    await sendRaw(client.sandbox.port, post(client, h2c, '{}') + last(client));
    expect((await client.request('GET', '/_sandbox/truth')).body).toMatchObject({
      requests: { issueToken: { 201: 1 }, createConversation: { 201: 1 } },
      limits: { rate: { admitted: 1, refused: 0 } },
    });
  });

  it('waits no longer for the rest of a body than others do', async () => {
    const client = await startWithUser({ requestTimeout: '200ms' });
    const cut = post(client, h2c, '{"title":"x"}').slice(0, -5);
    expect(statusesIn(await sendRaw(client.sandbox.port, cut))).toEqual([408]);
  });

  it('is too large like any other', async () => {
    const client = await startWithUser();
    // Only announced: bytes that nobody reads may reset the connection before its answer is read.
    const announced = message(`POST ${root}/conversations HTTP/1.1`, client, ['content-length: 5000000', ...h2c]);
    expect(statusesIn(await sendRaw(client.sandbox.port, announced))).toEqual([413]);
  });
});
