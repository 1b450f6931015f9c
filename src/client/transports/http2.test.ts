import { once } from 'node:events';
import {
  constants,
  createSecureServer,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sandboxProfile } from '../../api/index.ts';
import type { Clock, Millis } from '../../base/index.ts';
import { closedAfterEach } from '../../testing/closing.ts';
import type { TransportOptions } from '../transport.ts';
import { call, clock, ms, sent, TEXT, TOKEN } from './exam/setting.exam.ts';
import { openHttp2Transport } from './http2.ts';
import { answering, jsonAnswer, rawServer } from './raw-server.exam.ts';
import { selfSigned } from './self-signed.exam.ts';
import { testProxy } from './test-proxy.exam.ts';

const kept = closedAfterEach();
const tls = selfSigned();

interface Service {
  readonly port: number;
  readonly url: string;
  readonly sessions: ServerHttp2Session[];
  close(): Promise<void>;
}

/** @param socket the raw socket of the last session, which the session does not expose */
type Answer = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, nth: number, socket: Socket) => void;

/** A service that speaks only HTTP/2. */
async function service(answer: Answer, isSecure = false): Promise<Service> {
  const server: Http2Server = isSecure ? createSecureServer({ ...tls, allowHTTP1: false }) : createServer();
  const sessions: ServerHttp2Session[] = [];
  const sockets: Socket[] = [];
  let nth = 0;
  server.on('connection', (socket: Socket) => sockets.push(socket));
  server.on('session', (session) => {
    sessions.push(session);
    session.on('error', () => undefined);
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    answer(stream, headers, nth++, sockets.at(-1) as Socket);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`,
    sessions,
    close: async () => {
      for (const session of sessions) session.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const to = (baseUrl: string, over: Partial<TransportOptions> = {}) =>
  kept(openHttp2Transport({ baseUrl, profile: sandboxProfile(), connections: 1, clock, ...over }));

const against = async (answer: Answer, over: Partial<TransportOptions> = {}) => {
  const running = await kept(service(answer));
  return { service: running, transport: await to(running.url, over) };
};

const json = { ':status': 200, 'content-type': 'application/json' };
const answerWith = (body: unknown) => (stream: ServerHttp2Stream) => {
  stream.respond(json);
  stream.end(JSON.stringify(body));
};

const failureAgainst = async (answer: Answer, over: Partial<TransportOptions> = {}) => {
  const { transport } = await against(answer, over);
  const reply = await transport.send(call());
  return reply.kind === 'answer' ? reply.status : [reply.kind, reply.failure, reply.bytes.sent > 0];
};

describe('http2: requests', () => {
  it('have the same content as over HTTP/1.1', async () => {
    const seen: [IncomingHttpHeaders, string][] = [];
    const { transport } = await against((stream, headers) => {
      let body = '';
      stream.on('data', (chunk) => (body += chunk));
      stream.on('end', () => {
        seen.push([headers, body]);
        answerWith({})(stream);
      });
    });
    const reply = await transport.send(call());
    await transport.send(
      call({ operation: 'readTurn', parameters: { turn_id: 't/1' }, query: { a: 1 }, body: undefined }),
    );
    expect(seen[0]).toMatchObject([
      {
        ':method': 'POST',
        ':path': '/api/partners/v1/conversations/c%201%2F2/messages',
        ':scheme': 'http',
        authorization: `Bearer ${TOKEN}`,
        accept: 'application/json',
        'content-type': 'application/json',
        'content-length': `${JSON.stringify({ client_message_id: 'm1', message: TEXT }).length}`,
      },
      JSON.stringify({ client_message_id: 'm1', message: TEXT }),
    ]);
    expect(seen[0]?.[0]).not.toHaveProperty('accept-encoding');
    expect(seen[1]).toMatchObject([{ ':method': 'GET', ':path': '/api/partners/v1/turns/t%2F1?a=1' }, '']);
    expect(seen[1]?.[0]).not.toHaveProperty('content-length');
    expect(reply.bytes.sent).toBeGreaterThan(JSON.stringify({ client_message_id: 'm1', message: TEXT }).length);
    expect(reply.bytes.received).toBeGreaterThan(2);
  });

  it('of a token that no header can hold is not sent, and the connection goes on', async () => {
    const { transport } = await against(answerWith({ a: 1 }));
    const reply = await transport.send(call({ credentials: { kind: 'bearer', token: 'a\nb' } }));
    expect(reply).toMatchObject({ kind: 'failed', failure: 'invalid-request' });
    expect(await transport.send(call())).toMatchObject({ kind: 'answer', body: { a: 1 } });
  });

  it('share a connection one after the other, and wait for it before they are sent', async () => {
    let [open, most] = [0, 0];
    const { transport, service: served } = await against((stream) => {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open--;
        answerWith({})(stream);
      }, 20);
    });
    const replies = await Promise.all(Array.from({ length: 4 }, () => transport.send(call())));
    expect(replies.map(({ kind, connection }) => [kind, connection])).toEqual(Array(4).fill(['answer', 1]));
    expect([most, served.sessions.length]).toEqual([1, 1]);
    for (const [index, { sentAt }] of replies.slice(1).entries())
      expect(sentAt).toBeGreaterThanOrEqual(replies[index]?.receivedAt ?? Number.POSITIVE_INFINITY);
  });

  it('are announced in the turn in which they are stamped', async () => {
    let turn = 0;
    let stampedIn: number | undefined;
    const marked: Clock = {
      now: () => {
        stampedIn = turn;
        setImmediate(() => turn++);
        return clock.now();
      },
      sleepUntil: (at, signal) => clock.sleepUntil(at, signal),
    };
    const { transport } = await against(answerWith({}), { clock: marked });
    const announced: (readonly [number, number | undefined])[] = [];
    await transport.send(call({ onSending: () => announced.push([turn, stampedIn]) }));
    expect(announced).toHaveLength(1);
    expect(announced[0]?.[0]).toBe(announced[0]?.[1]);
  });
});

describe('http2: answers', () => {
  it('status, joined headers, body; times at the headers and at the last byte', async () => {
    const { transport } = await against((stream) => {
      stream.additionalHeaders({ ':status': 103, link: '</a>' });
      stream.respond({ ...json, ':status': 202, 'x-one': ['a', 'b'] });
      stream.write('{"turn_id":');
      // The client runs in the same event loop: after two turns it has read the first part.
      setImmediate(() => setImmediate(() => setTimeout(() => stream.end('"t"}'), 40)));
    });
    const reply = await transport.send(call());
    expect(reply).toMatchObject({ kind: 'answer', status: 202, body: { turn_id: 't' }, headers: { 'x-one': 'a, b' } });
    expect(reply.kind === 'answer' && Object.keys(reply.headers).filter((name) => /^(:|link)/.test(name))).toEqual([]);
    expect(reply.receivedAt - (reply.headersAt ?? 0)).toBeGreaterThanOrEqual(ms(30));
  });

  it('an error, nothing at all, and what is not JSON', async () => {
    const { transport } = await against((stream, _, nth) => {
      if (nth === 0) stream.respond({ ':status': 204 }, { endStream: true });
      else stream.respond({ ':status': 500, 'content-type': 'text/html' }, { endStream: false });
      if (nth > 0) stream.end('<p>');
    });
    expect(await transport.send(call())).toMatchObject({ kind: 'answer', status: 204 });
    expect(await transport.send(call())).toMatchObject({ status: 500, bodyProblem: 'wrong-content-type' });
  });

  it('a large one arrives complete, one above the limit fails and closes its connection', async () => {
    const text = 'x'.repeat(3_000_000);
    const { transport } = await against(answerWith({ text }), { maxAnswerBytes: 4_000_000 });
    expect(await transport.send(call())).toMatchObject({ kind: 'answer', body: { text } });
    const { transport: narrow, service: served } = await against(
      (stream, _headers, nth) => answerWith(nth === 0 ? { text } : {})(stream),
      { maxAnswerBytes: 1_000_000 },
    );
    expect(await narrow.send(call())).toMatchObject({ kind: 'failed', failure: 'answer-too-large' });
    expect(await narrow.send(call())).toMatchObject({ kind: 'answer', connection: 2 });
    expect(served.sessions).toHaveLength(2);
  });

  it('compressed, if requested', async () => {
    const asked: unknown[] = [];
    const profile = sandboxProfile();
    const { transport } = await against(
      (stream, headers) => {
        asked.push(headers['accept-encoding']);
        stream.respond({ ...json, 'content-encoding': 'gzip' });
        stream.end(gzipSync('{"a":1}'));
      },
      { profile: { ...profile, client: { ...profile.client, compression: true } } },
    );
    expect(await transport.send(call())).toMatchObject({ kind: 'answer', body: { a: 1 } });
    expect(asked).toEqual(['gzip, deflate, br']);
  });
});

describe('http2: no answer', () => {
  it('streams that are refused, reset, or end without one', async () => {
    const reset = (code: number) => (stream: ServerHttp2Stream) => stream.close(code);
    expect(await failureAgainst(reset(constants.NGHTTP2_REFUSED_STREAM))).toEqual(['failed', 'stream-refused', true]);
    expect(await failureAgainst(reset(constants.NGHTTP2_ENHANCE_YOUR_CALM))).toEqual(['failed', 'stream-reset', true]);
    expect(await failureAgainst(reset(constants.NGHTTP2_CANCEL))).toEqual(['failed', 'stream-reset', true]);
    expect(
      await failureAgainst((stream) => {
        stream.respond(json);
        stream.write('{"a":');
        setTimeout(() => stream.destroy(new Error('broken off')), 20);
      }),
    ).toEqual(['failed', 'stream-reset', true]);
    expect(
      await failureAgainst((stream) => {
        stream.respond({ ...json, 'content-length': '7' });
        stream.end('{}');
      }),
    ).toEqual(['failed', 'protocol', true]);
  });

  it('a stream that was refused leaves its connection as it was', async () => {
    const { transport } = await against((stream, _headers, nth) => {
      if (nth === 0) stream.close(constants.NGHTTP2_REFUSED_STREAM);
      else answerWith({})(stream);
    });
    expect(await transport.send(call())).toMatchObject({ failure: 'stream-refused', connection: 1 });
    expect(await transport.send(call())).toMatchObject({ kind: 'answer', connection: 1 });
  });

  it('connections that are reset, ended, or given up with an error', async () => {
    expect(await failureAgainst((_stream, _headers, _nth, socket) => socket.destroy())).toEqual([
      'failed',
      'closed-before-answer',
      true,
    ]);
    expect(
      await failureAgainst((stream, _headers, _nth, socket) => {
        stream.respond(json);
        stream.write('{"a":');
        setTimeout(() => socket.destroy(), 20);
      }),
    ).toEqual(['failed', 'closed-mid-answer', true]);
    expect(await failureAgainst(({ session }) => session?.goaway(constants.NGHTTP2_INTERNAL_ERROR))).toEqual([
      'failed',
      'going-away',
      true,
    ]);
  });

  it('headers above the limit', async () => {
    expect(
      await failureAgainst((stream) => {
        stream.respond({ ...json, 'x-long': 'x'.repeat(60_000) });
        stream.end('{}');
      }),
    ).toEqual(['failed', 'headers-too-large', true]);
  });

  it('headers above the limit after an answer within it, and trailers above it', async () => {
    const { transport } = await against((stream, _headers, nth) => {
      if (nth % 2 === 0) return answerWith({})(stream);
      const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x-${index}`, 'x'.repeat(500)]));
      stream.respond(nth === 1 ? { ...json, ...many } : json, { waitForTrailers: nth === 3 });
      stream.on('wantTrailers', () => stream.sendTrailers(many));
      stream.end('{}');
    });
    const replies: unknown[] = [];
    for (let round = 0; round < 5; round++) replies.push(await transport.send(call()));
    const tooLarge = { kind: 'failed', failure: 'headers-too-large' };
    const answer = (connection: number) => ({ kind: 'answer', connection });
    expect(replies).toMatchObject([answer(1), tooLarge, answer(2), tooLarge, answer(3)]);
  });

  it('many small headers, within the limit on any answer', async () => {
    const many = Object.fromEntries(Array.from({ length: 800 }, (_, index) => [`x-${index}`, '']));
    const { transport } = await against((stream) => {
      stream.respond({ ...json, ...many });
      stream.end('{}');
    });
    for (let round = 0; round < 3; round++)
      expect(await transport.send(call())).toMatchObject({ kind: 'answer', connection: 1 });
  });

  it('within the deadline: censored, and the next call has another connection', async () => {
    const { transport } = await against((stream, _headers, nth) => {
      if (nth > 0) answerWith({})(stream);
    });
    const reply = await transport.send(call({ deadlineUs: ms(60) }));
    expect(reply).toMatchObject({ kind: 'censored', failure: 'deadline', connection: 1 });
    expect(reply.receivedAt - reply.sentAt).toBeGreaterThanOrEqual(ms(58));
    expect(await transport.send(call())).toMatchObject({ kind: 'answer', connection: 2 });
  });

  it('as the run stops', async () => {
    const stopping = new AbortController();
    const { transport } = await against(() => stopping.abort());
    expect(await transport.send(call(), stopping.signal)).toMatchObject({ kind: 'censored', failure: 'stopped' });
    const { transport: closing } = await against(() => void closing.close());
    expect(await closing.send(call())).toMatchObject({ kind: 'censored', failure: 'stopped' });
  });
});

describe('http2: connections', () => {
  it('a service that goes away is answered by: what is in flight ends, what comes next has another connection', async () => {
    const { transport } = await against((stream, _headers, nth) => {
      stream.session?.goaway();
      setTimeout(() => answerWith({ nth })(stream), 30);
    });
    const replies = [await transport.send(call()), await transport.send(call())];
    expect(replies).toMatchObject([
      { kind: 'answer', body: { nth: 0 }, connection: 1 },
      { kind: 'answer', body: { nth: 1 }, connection: 2 },
    ]);
  });

  it('that were closed while they were idle cost no call', async () => {
    const { transport, service: served } = await against(answerWith({}));
    for (let round = 1; round <= 5; round++) {
      expect(await transport.send(call())).toMatchObject({ kind: 'answer', connection: round });
      served.sessions.at(-1)?.close();
      await once(served.sessions.at(-1) as ServerHttp2Session, 'close');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });

  it('a lease is given back unused, and sends once', async () => {
    const { transport } = await against(answerWith({}));
    (await transport.acquire())?.release();
    const lease = await transport.acquire();
    expect(await sent(lease)).toMatchObject({ kind: 'answer', connection: 1 });
    expect(() => lease?.send(call(), undefined, () => undefined)).toThrow('a lease sends one call');
  });

  it('a service that speaks only HTTP/1.1 is reported as such over TLS, and as a protocol error without TLS', async () => {
    const secure = await kept(answering(jsonAnswer({}), { tls }));
    const transport = await to(secure.url, { ca: tls.cert, connections: 1 });
    expect(await transport.warmUp()).toEqual({ opened: 0, failures: ['no-http2'] });
    expect(await transport.send(call())).toMatchObject({ failure: 'no-http2', bytes: { sent: 0, received: 0 } });
    const strict = createTlsServer({ ...tls, ALPNProtocols: ['http/1.1'] });
    await new Promise<void>((listening) => strict.listen(0, '127.0.0.1', listening));
    const { port } = strict.address() as AddressInfo;
    const refused = await to(`https://127.0.0.1:${port}`, { ca: tls.cert, connections: 1 });
    expect(await refused.warmUp()).toEqual({ opened: 0, failures: ['no-http2'] });
    strict.close();
    const plain = await kept(
      rawServer((socket) => socket.once('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))),
    );
    expect(await (await to(plain.url)).send(call())).toMatchObject({ kind: 'failed', failure: 'protocol' });
  });

  it('nobody listens, nobody answers the handshake', async () => {
    const silent = await kept(rawServer(() => undefined));
    const profile = sandboxProfile();
    const hasty = { connections: 1, profile: { ...profile, client: { ...profile.client, deadline: 80 as Millis } } };
    const transport = await to(`https://127.0.0.1:${silent.port}`, hasty);
    expect(await transport.warmUp()).toEqual({ opened: 0, failures: ['connect-timeout'] });
    expect(await (await to('http://127.0.0.1:1')).send(call())).toMatchObject({ failure: 'ECONNREFUSED' });
  });
});

describe('http2: TLS and proxies', () => {
  it('over TLS by ALPN, with an authority of our own', async () => {
    const secure = await kept(service(answerWith({ a: 1 }), true));
    const transport = await to(`https://localhost:${secure.port}`, { ca: tls.cert });
    expect(await transport.send(call())).toMatchObject({ kind: 'answer', body: { a: 1 } });
    expect(secure.sessions.map(({ alpnProtocol }) => alpnProtocol)).toEqual(['h2']);
  });

  it("through a proxy's tunnel, whether the service has TLS or not", async () => {
    for (const isSecure of [true, false]) {
      const served = await kept(service(answerWith({ a: 1 }), isSecure));
      const proxy = await kept(testProxy());
      const transport = await to(served.url, { proxy: proxy.url, ca: tls.cert });
      expect(await transport.send(call())).toMatchObject({ kind: 'answer', body: { a: 1 } });
      expect(proxy.seen).toEqual([{ what: `CONNECT 127.0.0.1:${served.port}`, authorization: undefined }]);
    }
  });
});
