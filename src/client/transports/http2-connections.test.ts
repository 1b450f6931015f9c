import { once } from 'node:events';
import type { ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { sandboxProfile } from '../../api/index.ts';
import type { Millis } from '../../base/index.ts';
import { call, sent } from './exam/setting.exam.ts';
import { answerWith, http2Service, http2Setting, tls } from './http2-service.exam.ts';
import { answering, jsonAnswer, rawServer } from './raw-server.exam.ts';
import { testProxy } from './test-proxy.exam.ts';

const { kept, to, against } = http2Setting();

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
    const secure = await kept(http2Service(answerWith({ a: 1 }), true));
    const transport = await to(`https://localhost:${secure.port}`, { ca: tls.cert });
    expect(await transport.send(call())).toMatchObject({ kind: 'answer', body: { a: 1 } });
    expect(secure.sessions.map(({ alpnProtocol }) => alpnProtocol)).toEqual(['h2']);
  });

  it("through a proxy's tunnel, whether the service has TLS or not", async () => {
    for (const isSecure of [true, false]) {
      const served = await kept(http2Service(answerWith({ a: 1 }), isSecure));
      const proxy = await kept(testProxy());
      const transport = await to(served.url, { proxy: proxy.url, ca: tls.cert });
      expect(await transport.send(call())).toMatchObject({ kind: 'answer', body: { a: 1 } });
      expect(proxy.seen).toEqual([{ what: `CONNECT 127.0.0.1:${served.port}`, authorization: undefined }]);
    }
  });
});
