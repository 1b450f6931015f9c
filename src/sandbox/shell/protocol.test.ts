import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ErrorEnvelope } from '../../api/index.ts';
import { conversation_id, type HttpClient, root, sendRaw, startWithUser } from './http-client.exam.ts';
import { originForm } from './protocol.ts';

const history = `${root}/conversations/${conversation_id}/messages`;

/** A user with one empty conversation. */
async function start(): Promise<HttpClient> {
  const client = await startWithUser({ limits: { rate: { max: 1_000 } } });
  await client.request('POST', `${root}/conversations`, { conversation_id });
  return client;
}

/** One request by hand on a connection of its own. */
async function ask({ sandbox, token }: HttpClient, first: string, lines: readonly string[] = [], body = '') {
  const own = lines.some((line) => /^authorization:/i.test(line)) ? [] : [`authorization: Bearer ${token}`];
  const all = [first, 'host: x', 'connection: close', ...own, ...lines].join('\r\n');
  return read(await sendRaw(sandbox.port, `${all}\r\n\r\n${body}`));
}

function read(text: string) {
  const end = text.indexOf('\r\n\r\n');
  const body = text.slice(end + 4);
  return {
    status: Number(text.slice(9, 12)),
    head: text.slice(0, end),
    body,
    code: () => ErrorEnvelope.parse(JSON.parse(body)).error.code,
  };
}

describe('methods', () => {
  it.each<readonly [string, string]>([
    ['HEAD', history],
    ['OPTIONS', history],
    ['OPTIONS', '*'],
    ['PUT', history],
    ['PATCH', history],
    ['DELETE', history],
    ['TRACE', history],
    ['PROPFIND', history],
    ['PURGE', history],
    // Not a method to the parser of Node 20.19.0.
    ...METHODS.filter((method) => method === 'QUERY').map((method) => [method, history] as const),
    ['POST', `${root}/turns/${conversation_id}`],
    ['GET', `${root}/tokens`],
    ['HEAD', '/openapi.json'],
    ['POST', '/openapi.json'],
  ])('%s %s is no operation: 404, and nothing counts', async (method, path) => {
    const client = await startWithUser({ control: true });
    const seen = await ask(client, `${method} ${path} HTTP/1.1`);
    expect(seen.status).toBe(404);
    if (method === 'HEAD') expect(seen.body).toBe('');
    else expect(seen.code()).toBe('not_found');
    expect((await client.request('GET', '/_sandbox/truth')).body.limits.rate).toEqual({ admitted: 0, refused: 0 });
  });

  it('GET with a body is answered as without one, and the connection goes on', async () => {
    const client = await start();
    const one = `GET ${history} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${client.token}\r\n`;
    const text = await sendRaw(
      client.sandbox.port,
      `${one}content-type: application/json\r\ncontent-length: 5\r\n\r\nhello${one}connection: close\r\n\r\n`,
    );
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
  });

  it('HTTP/1.0 needs no host and gets an answer of its own kind', async () => {
    const { sandbox, token } = await start();
    const text = await sendRaw(sandbox.port, `GET ${history} HTTP/1.0\r\nauthorization: Bearer ${token}\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
  });
});

describe('headers', () => {
  it.each([
    ['host', ['host: y']],
    ['authorization', ['authorization: Bearer a', 'authorization: Bearer b']],
    ['content-type', ['content-type: application/json', 'Content-Type: application/json']],
  ])('%s twice is answered 400, for nobody knows which is meant', async (name, lines) => {
    const seen = await ask(await start(), `GET ${history} HTTP/1.1`, lines);
    expect([seen.status, seen.code()]).toEqual([400, 'invalid_request']);
    expect(seen.body).toContain(`${name}: must stand once`);
  });

  it.each([
    ['gzip, chunked', 400],
    ['Chunked', 201],
  ])('a body in the transfer coding %s is answered by whether that can be read', async (coding, status) => {
    const { sandbox, token } = await startWithUser();
    const lines = ['host: x', 'connection: close', `authorization: Bearer ${token}`, 'content-type: application/json'];
    const seen = read(
      await sendRaw(
        sandbox.port,
        `POST ${root}/conversations HTTP/1.1\r\n${lines.join('\r\n')}\r\ntransfer-encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      ),
    );
    expect(seen.status).toBe(status);
    if (status === 400) expect(seen.body).toContain('transfer-encoding: must be chunked, or absent');
  });

  it('a host that is absent is answered 400 in the envelope', async () => {
    const { sandbox, token } = await start();
    const seen = read(
      await sendRaw(
        sandbox.port,
        `GET ${history} HTTP/1.1\r\nconnection: close\r\nauthorization: Bearer ${token}\r\n\r\n`,
      ),
    );
    expect([seen.status, seen.code()]).toEqual([400, 'invalid_request']);
  });

  it('a header that may stand twice does', async () => {
    const client = await start();
    expect(
      (await ask(client, `GET ${history} HTTP/1.1`, ['accept: a/b', 'accept: c/d', 'x-y: 1', 'x-y: 2'])).status,
    ).toBe(200);
  });

  it('the scheme is read in any case (RFC 9110 section 11.1), the token as it is', async () => {
    const client = await start();
    for (const scheme of ['bearer', 'BEARER', 'BeArEr', 'Bearer ']) {
      expect((await ask(client, `GET ${history} HTTP/1.1`, [`authorization: ${scheme} ${client.token}`])).status).toBe(
        200,
      );
    }
    const swapped = client.token.replace(/[a-z]/gi, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()));
    for (const wrong of [swapped, `${client.token} x`, `${client.token},`]) {
      expect((await ask(client, `GET ${history} HTTP/1.1`, [`authorization: Bearer ${wrong}`])).status).toBe(401);
    }
    const { clientId, clientSecret } = client.sandbox.applications[0] ?? {};
    const pair = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
    const body = '{"external_user_id":"u"}';
    const lines = [`authorization: bAsIc ${pair}`, 'content-type: Application/JSON', `content-length: ${body.length}`];
    expect((await ask(client, `POST ${root}/tokens HTTP/1.1`, lines, body)).status).toBe(201);
  });
});

describe('paths', () => {
  const encoded = history.replace('0c2b2d0e', '%30c2b2d0e').replace('messages', 'm%65ssages');
  it.each([
    [history, 200],
    [encoded, 200],
    [`http://anywhere.example${history}`, 200],
    [`HTTP://anywhere.example:1${history}?limit=5`, 200],
    [`${history}?`, 200],
    [`${history}?limit=%35`, 200],
    [`${history}/`, 404],
    [`/${history}`, 404],
    [history.replace('partners', 'PARTNERS'), 404],
    [history.replace('/conversations', '/./conversations'), 404],
    [`${root}/conversations/${conversation_id}%2Fmessages`, 404],
    [history.replace(conversation_id, '%2e%2e'), 422],
    [history.replace(conversation_id, `${conversation_id}%00`), 422],
    [history.replace(conversation_id, ''), 422],
    [`${history}?limit=0`, 422],
    [`${history}?limit=5&limit=6`, 422],
    [`${history}?LIMIT=5`, 422],
    [`${history};limit=5`, 404],
    [`${history}?limit=%zz`, 422],
    ['http://anywhere.example', 404],
  ])('%s is answered %i', async (path, status) => {
    const seen = await ask(await start(), `GET ${path} HTTP/1.1`);
    expect(seen.status).toBe(status);
    if (status >= 400) expect(seen.code()).toBe(status === 404 ? 'not_found' : 'invalid_request');
  });

  it('may be absolute-form addresses, of which only path and query count', () => {
    const ofUrl = (url: string) => originForm({ url });
    expect(['/a?b', 'http://h/a', 'https://u@h:1/a?b=http://c', 'http://h', 'http://h?a', '*'].map(ofUrl)).toEqual([
      '/a?b',
      '/a',
      '/a?b=http://c',
      '/',
      '/?a',
      '/*',
    ]);
  });
});

describe('Expect', () => {
  /** Sends the head, notes whether "100 Continue" came, then the body if it did. */
  function expecting(
    { sandbox, token }: HttpClient,
    length: number,
    { expectation = '100-continue', type = 'application/json' } = {},
  ) {
    const head = `POST ${root}/conversations HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: ${type}\r\n`;
    const body = JSON.stringify({ title: '' }).padEnd(length);
    return new Promise<{ continued: boolean; text: string }>((resolve, reject) => {
      let text = '';
      const socket = connect(sandbox.port, '127.0.0.1', () =>
        socket.write(`${head}content-length: ${length}\r\nconnection: close\r\nexpect: ${expectation}\r\n\r\n`),
      );
      const go = 'HTTP/1.1 100 Continue\r\n\r\n';
      socket.setEncoding('utf8').on('data', (chunk) => {
        if (text === '' && String(chunk) === go) socket.write(body);
        text += chunk;
      });
      socket
        .on('end', () => resolve({ continued: text.startsWith(go), text: text.replace(go, '') }))
        .on('error', reject);
    });
  }

  it('100-continue lets a body come that will be read', async () => {
    const { continued, text } = await expecting(await start(), 100);
    expect([continued, read(text).status]).toEqual([true, 201]);
  });

  it('100-continue spares the client a body that is too large', async () => {
    const client = await start();
    for (const [length, type] of [
      [65_537, 'application/json'],
      [100_000_000, 'application/json'],
      [65_537, 'nonsense'],
    ] as const) {
      const { continued, text } = await expecting(client, length, { type });
      expect([continued, read(text).status, read(text).code()]).toEqual([false, 413, 'payload_too_large']);
    }
    expect((await expecting(client, 65_536)).continued).toBe(true);
  });

  it('anything else is answered 417 in the envelope', async () => {
    const { continued, text } = await expecting(await start(), 10, { expectation: 'a-pony' });
    expect([continued, read(text).status, read(text).code()]).toEqual([false, 417, 'invalid_request']);
  });
});
