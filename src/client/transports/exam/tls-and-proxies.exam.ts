import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect } from 'vitest';
import { sandboxProfile } from '../../../api/index.ts';
import type { Millis } from '../../../base/index.ts';
import { answering, jsonAnswer, rawServer } from '../raw-server.exam.ts';
import { selfSigned } from '../self-signed.exam.ts';
import { testProxy } from '../test-proxy.exam.ts';
import { call, clock, ms, SECRET, type Setting } from './setting.exam.ts';

/** TLS and proxies between a transport and its target. */
export function tlsAndProxiesExam(name: string, { test, kept, to, open }: Setting): void {
  describe(`${name}: TLS and proxies`, () => {
    const tls = selfSigned();

    test('an authority of our own is trusted, without it nothing is sent', async () => {
      const server = await kept(answering(jsonAnswer({ a: 1 }), { tls }));
      const distrusting = await to(server.url);
      expect(await distrusting.send(call())).toMatchObject({
        kind: 'failed',
        failure: 'DEPTH_ZERO_SELF_SIGNED_CERT',
        bytes: { sent: 0, received: 0 },
      });
      const trusting = await to(`https://localhost:${server.port}`, { ca: tls.cert });
      const reply = await trusting.send(call());
      expect(reply).toMatchObject({
        kind: 'answer',
        body: { a: 1 },
        bytes: { sent: server.received().length, received: jsonAnswer({ a: 1 }).length },
      });
    });

    test('a certificate of our own is shown to a service that asks for one', async () => {
      const own = selfSigned();
      // TLS 1.2, because in TLS 1.3 the service rejects a certificate only after the client has finished its handshake.
      const asking = { ...tls, requestCert: true, ca: own.cert, maxVersion: 'TLSv1.2' } as const;
      const server = await kept(answering(jsonAnswer({ a: 1 }), { tls: asking }));
      const strangers = await to(server.url, { ca: tls.cert });
      expect(await strangers.send(call())).toMatchObject({
        kind: 'failed',
        failure: 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
        bytes: { sent: 0, received: 0 },
      });
      const known = await to(server.url, { ca: tls.cert, certificate: own });
      expect(await known.send(call())).toMatchObject({ kind: 'answer', body: { a: 1 } });
      const wrong = { baseUrl: server.url, profile: sandboxProfile(), connections: 1, clock };
      const refused = open({ ...wrong, certificate: { cert: own.cert, key: tls.key } });
      await expect(refused).rejects.toMatchObject({ code: 'CLIENT_CERTIFICATE_INVALID', exitCode: 104 });
      await expect(refused).rejects.not.toThrow('PRIVATE');
    });

    test('a connection whose answer has come before Node says that the request is written carries the next request', async () => {
      const server = await kept(serverInThread(tls));
      const transport = await to(`https://127.0.0.1:${server.port}`, { ca: tls.cert, connections: 1 });
      const connections = [];
      for (let count = 0; count < 5; count++) {
        // The answer is there when the loop looks at its sockets for the first time after it has sent.
        const reply = await transport.send(call({ onSending: () => queueMicrotask(() => standStill(30)) }));
        connections.push([reply.kind, reply.connection]);
      }
      expect(connections).toEqual(Array.from({ length: 5 }, () => ['answer', 1]));
    });

    test('a handshake that never ends: failed after the deadline for opening, or stopped at once', async () => {
      const profile = sandboxProfile();
      const server = await kept(rawServer(() => undefined));
      const address = `https://127.0.0.1:${server.port}`;
      const hasty = await to(address, {
        connections: 1,
        profile: { ...profile, client: { ...profile.client, deadline: 80 as Millis } },
      });
      expect(await hasty.warmUp()).toEqual({ opened: 0, failures: ['connect-timeout'] });
      const startedAt = clock.now();
      expect(await hasty.send(call())).toMatchObject({
        kind: 'failed',
        failure: 'connect-timeout',
        bytes: { sent: 0, received: 0 },
      });
      expect(clock.now() - startedAt).toBeGreaterThanOrEqual(ms(78));
      const patient = await to(address, { connections: 1 });
      const stopping = new AbortController();
      const [opening, waiting] = [patient.acquire(stopping.signal), patient.acquire(stopping.signal)];
      stopping.abort();
      expect([await opening, await waiting]).toEqual([undefined, undefined]);
    });

    test('a CA that is none, or one of several that is none, is said before anything is opened', async () => {
      const broken = `-----BEGIN CERTIFICATE-----\n${SECRET}\n-----END CERTIFICATE-----\n`;
      for (const ca of [SECRET, broken, selfSigned().cert + broken])
        await expect(
          open({ baseUrl: 'https://127.0.0.1:1', profile: sandboxProfile(), connections: 1, clock, ca }),
        ).rejects.toMatchObject({ code: 'CA_INVALID', message: expect.not.stringContaining(SECRET) });
    });

    test('http through a proxy in absolute form', async () => {
      const server = await kept(answering(jsonAnswer({ a: 1 })));
      const proxy = await kept(testProxy());
      const transport = await to(server.url, { proxy: proxy.url.replace('//', `//user:${SECRET}@`) });
      expect(await transport.send(call())).toMatchObject({ kind: 'answer', body: { a: 1 } });
      expect(proxy.seen).toEqual([
        {
          what: `POST ${server.url}/api/partners/v1/conversations/c%201%2F2/messages`,
          authorization: `Basic ${Buffer.from(`user:${SECRET}`).toString('base64')}`,
        },
      ]);
      expect(server.received()).toContain(`host: 127.0.0.1:${server.port}`);
    });

    test("https through a proxy's tunnel; the proxy sees its own credentials, and no token", async () => {
      const server = await kept(answering(jsonAnswer({ a: 1 }), { tls }));
      const proxy = await kept(testProxy());
      const authorization = `Basic ${Buffer.from(`user:${SECRET}`).toString('base64')}`;
      for (const url of [proxy.url, proxy.url.replace('//', `//user:${SECRET}@`)]) {
        const transport = await to(server.url, { proxy: url, ca: tls.cert });
        expect(await transport.send(call())).toMatchObject({ kind: 'answer', body: { a: 1 } });
      }
      const what = `CONNECT 127.0.0.1:${server.port}`;
      expect(proxy.seen).toEqual([
        { what, authorization: undefined },
        { what, authorization },
      ]);
    });

    test('a proxy that never answers is waited for until the caller stops', async () => {
      const stopping = new AbortController();
      const proxy = await kept(rawServer((socket) => socket.once('data', () => stopping.abort())));
      const transport = await to('https://127.0.0.1:9', { proxy: proxy.url, connections: 1 });
      const lease = transport.acquire(stopping.signal);
      expect(await lease).toBe(undefined);
    });

    test('a proxy that refuses the tunnel', async () => {
      const proxy = await kept(testProxy({ refuse: true }));
      const transport = await to('https://127.0.0.1:9', { proxy: proxy.url });
      expect(await transport.send(call())).toMatchObject({
        kind: 'failed',
        failure: 'proxy-refused',
        bytes: { sent: 0, received: 0 },
      });
    });

    test('an address with credentials is refused without being quoted', async () => {
      const opening = open({
        baseUrl: `https://id:${SECRET}@api.example`,
        profile: sandboxProfile(),
        connections: 1,
        clock,
      });
      await expect(opening).rejects.toMatchObject({ code: 'TARGET_ADDRESS_INVALID', exitCode: 104 });
      await expect(opening).rejects.not.toThrow(SECRET);
    });
  });
}

/** A server that answers at once, while this thread's loop stands still. */
async function serverInThread(tls: { readonly key: string; readonly cert: string }) {
  const worker = new Worker(ANSWERING, { eval: true, workerData: { tls, answer: jsonAnswer({}) } });
  const [port] = (await once(worker, 'message')) as [number];
  return { port, close: async () => void (await worker.terminate()) };
}

const ANSWERING = `
const { parentPort, workerData: { tls, answer } } = require('node:worker_threads');
const server = require('node:tls').createServer(tls, (socket) => socket.on('error', () => {}).on('data', () => socket.write(answer)));
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;

function standStill(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
}
