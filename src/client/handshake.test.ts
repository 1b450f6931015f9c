import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { sandboxProfile } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import { accept, call, event, streamSetting } from './stream-server.exam.ts';
import { inTinyChunks, keptOfTinyChunks, MOST_KEPT_BYTES } from './transports/exam/memory.exam.ts';
import { clock, ms } from './transports/exam/setting.exam.ts';
import { answering, jsonAnswer } from './transports/raw-server.exam.ts';
import { selfSigned } from './transports/self-signed.exam.ts';
import { testProxy } from './transports/test-proxy.exam.ts';
import { openUndiciTransport } from './transports/undici.ts';

const { kept, stream } = streamSetting();

describe('a handshake', () => {
  it('refused with 429 is an answer with its headers and error', async () => {
    const error = { code: 'rate_limited' };
    const { reply, ended } = await stream((socket) =>
      socket.write(jsonAnswer({ error }, '429 Too Many Requests', 'Retry-After: 3\r\n')),
    );
    expect(reply).toMatchObject({ kind: 'answer', status: 429, headers: { 'retry-after': '3' }, body: { error } });
    expect(ended).toBeUndefined();
  });

  it('refused by an answer of thousands of lines loses none of them', async () => {
    const { reply } = await stream((socket) =>
      socket.write(jsonAnswer({}, '429 Too Many Requests', `${'a:1\r\n'.repeat(2_500)}retry-after: 3\r\n`)),
    );
    expect(reply).toMatchObject({ kind: 'answer', status: 429, headers: { 'retry-after': '3' } });
  });

  it('refused by an answer as large as the bound is an answer', async () => {
    const body = 'x'.repeat(998);
    const act = (socket: Socket) => socket.write(jsonAnswer(body, '403 Forbidden'));
    const { reply } = await stream(act, {}, {}, { maxAnswerBytes: 1_000 });
    expect(reply).toMatchObject({ kind: 'answer', status: 403, body });
  });

  it('refused by an answer in tiny chunks takes no more memory than its content', async () => {
    const refused = () =>
      stream((socket) => socket.write(inTinyChunks('403 Forbidden')), {}, { deadlineUs: ms(30_000) });
    expect(await keptOfTinyChunks(refused)).toBeLessThan(MOST_KEPT_BYTES);
  });

  it.each([
    ['closed', (socket: Socket) => socket.end(), 'closed-before-answer'],
    ['reset', (socket: Socket) => socket.resetAndDestroy(), 'ECONNRESET'],
    ['a status that is none', (socket: Socket) => socket.write(jsonAnswer({}, '099 X')), 'protocol'],
    ['garbage', (socket: Socket) => socket.write('garbage\r\n\r\n'), 'protocol'],
    [
      'a wrong accept key',
      (socket: Socket) =>
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: eA==\r\n\r\n',
        ),
      'protocol',
    ],
    [
      'a refusal above the bound',
      (socket: Socket) => socket.write(jsonAnswer('x'.repeat(2_000), '403 Forbidden')),
      'answer-too-large',
    ],
    [
      'a refusal cut off',
      (socket: Socket) => socket.end(jsonAnswer({ a: 1 }, '403 Forbidden').slice(0, -2)),
      'closed-mid-answer',
    ],
    [
      'a reset in a refusal that ends with the connection',
      (socket: Socket) => {
        socket.write('HTTP/1.1 403 Forbidden\r\ncontent-type: application/json\r\n\r\n{"a":1}');
        socket.resetAndDestroy();
      },
      'ECONNRESET',
    ],
    [
      'a reset in a refusal with a length',
      (socket: Socket) => {
        socket.write(jsonAnswer({ a: 1 }, '403 Forbidden').slice(0, -2));
        socket.resetAndDestroy();
      },
      'ECONNRESET',
    ],
  ])('failed: %s', async (_, act, failure) => {
    const { reply, ended } = await stream((socket) => act(socket), {}, {}, { maxAnswerBytes: 1_000 });
    expect(reply).toMatchObject({ kind: 'failed', failure });
    expect(ended).toBeUndefined();
    expect(JSON.stringify(reply)).not.toContain('never-shown');
  });

  it("never answered: censored at the call's deadline, or at the stream's where that comes first", async () => {
    const { reply } = await stream(() => undefined, {}, { deadlineUs: ms(60) });
    expect(reply).toMatchObject({ kind: 'censored', failure: 'deadline' });
    expect(reply.receivedAt - reply.sentAt).toBeGreaterThanOrEqual(ms(60));
    const deadlineAt = (clock.now() + ms(60)) as Micros;
    const sooner = await stream(() => undefined, { deadlineAt });
    expect(sooner.reply).toMatchObject({ kind: 'censored', failure: 'deadline' });
    expect(sooner.reply.receivedAt - sooner.reply.sentAt).toBeLessThan(ms(4_000));
  });

  it('stopped before there is an answer: censored, and its socket destroyed', async () => {
    const stopping = new AbortController();
    const { reply, ended, server } = await stream(() => stopping.abort(), { signal: stopping.signal });
    expect(reply).toMatchObject({ kind: 'censored', failure: 'stopped' });
    expect(ended).toBeUndefined();
    await expect.poll(() => server.sockets[0]?.destroyed).toBe(true);
  });

  it('of a token that is no header value, of a service without a stream, of nobody', async () => {
    const invalid = await stream(accept, {}, { credentials: { kind: 'bearer', token: 'never-shown\r\nx: y' } });
    expect(invalid.reply).toMatchObject({ kind: 'failed', failure: 'invalid-request' });
    expect(JSON.stringify(invalid.reply)).not.toContain('never-shown');
    const none = await stream(accept, {}, {}, { profile: { ...sandboxProfile(), stream: null } });
    expect(none.reply).toMatchObject({ kind: 'failed', failure: 'no-stream', bytes: { sent: 0, received: 0 } });
    const refused = await stream(accept, {}, {}, { baseUrl: 'http://127.0.0.1:1' });
    expect(refused.reply).toMatchObject({ kind: 'failed', failure: 'ECONNREFUSED' });
  });

  it('over TLS and through a proxy, always by a tunnel', async () => {
    const tls = selfSigned();
    for (const [options, ca] of [
      [{}, undefined],
      [{ tls }, tls.cert],
    ] as const) {
      const server = await kept(
        answering((socket, request) => {
          accept(socket, request);
          socket.write(event('turn.completed'));
        }, options),
      );
      const proxy = await kept(testProxy());
      const transport = await kept(
        openUndiciTransport({
          baseUrl: server.url,
          profile: sandboxProfile(),
          connections: 1,
          clock,
          proxy: proxy.url,
          ...(ca === undefined ? {} : { ca }),
        }),
      );
      const { ended } = await transport.openStream(call, { onEvent: () => undefined });
      expect((await ended)?.reason).toBe('completed');
      expect(proxy.seen.map(({ what }) => what)).toEqual([`CONNECT 127.0.0.1:${server.port}`]);
    }
  });

  it('has its connection before sentAt, and a lease opens once', async () => {
    const server = await kept(answering(accept));
    const transport = await kept(
      openUndiciTransport({ baseUrl: server.url, profile: sandboxProfile(), connections: 1, clock }),
    );
    const lease = await transport.acquireStream();
    await expect.poll(() => server.sockets.length).toBe(1);
    expect(server.received()).toBe('');
    const leasedAt = clock.now();
    const opened = await lease?.open(call, { onEvent: () => undefined });
    expect(opened?.reply.sentAt).toBeGreaterThanOrEqual(leasedAt);
    await expect(lease?.open(call, { onEvent: () => undefined })).rejects.toThrow('lease');
    expect(server.sockets.length).toBe(1);
  });

  it('gives its socket back if its lease opens none, or is no longer wanted once there is one', async () => {
    const server = await kept(answering(accept));
    const transport = await kept(
      openUndiciTransport({ baseUrl: server.url, profile: sandboxProfile(), connections: 1, clock }),
    );
    const gone = (nth: number) => expect.poll(() => server.sockets[nth]?.destroyed).toBe(true);
    const lease = await transport.acquireStream();
    await expect.poll(() => server.sockets.length).toBe(1);
    expect(server.sockets[0]?.destroyed).toBe(false);
    lease?.release();
    await gone(0);
    await expect(lease?.open(call, { onEvent: () => undefined })).rejects.toThrow('lease');
    const late = transport.acquireStream();
    await transport.close();
    expect(await late).toBeUndefined();
    await Promise.all(server.sockets.map((_, nth) => gone(nth)));
  });
});
