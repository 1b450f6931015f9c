import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type ApiCall, type StreamEvent, sandboxProfile } from '../api/index.ts';
import { type Micros, realClock } from '../base/index.ts';
import { closedAfterEach } from '../testing/closing.ts';
import type { StreamOptions, TransportOptions } from './transport.ts';
import { answering, jsonAnswer, type RawRequest } from './transports/raw-server.exam.ts';
import { selfSigned } from './transports/self-signed.exam.ts';
import { testProxy } from './transports/test-proxy.exam.ts';
import { openUndiciTransport } from './transports/undici.ts';

const clock = realClock();
const ms = (value: number) => (value * 1_000) as Micros;
const kept = closedAfterEach();

const call: ApiCall = {
  operation: 'openStream',
  credentials: { kind: 'bearer', token: 'opaque-token-never-shown' },
  parameters: { turn_id: 'turn-1' },
  deadlineUs: ms(5_000),
};

/** RFC 6455 section 4.2.2. */
function accept(socket: Socket, request: RawRequest): void {
  const key = createHash('sha1')
    .update(`${request.headers.get('sec-websocket-key')}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${key}\r\ndate: Sat, 21 Nov 2026 12:00:00 GMT\r\n\r\n`,
  );
}

/** An unmasked frame (RFC 6455 section 5.2); opcode 1 is text, 2 binary, 8 close, 9 ping. */
function frame(payload: string | Buffer, opcode = 1): Buffer {
  const bytes = Buffer.from(payload);
  const size = bytes.length < 126 ? [bytes.length] : [126, bytes.length >> 8, bytes.length & 0xff];
  return Buffer.concat([Buffer.from([0x80 | opcode, ...size]), bytes]);
}
const event = (name: string, more: object = {}) => frame(JSON.stringify({ event: name, turn_id: 'turn-1', ...more }));
const closeFrame = (code: number) => frame(Buffer.from([code >> 8, code & 0xff]), 8);

/** Opens a stream to a server that handles each handshake with this function. */
async function stream(
  onRequest: (socket: Socket, request: RawRequest) => void,
  over: Partial<StreamOptions> = {},
  overCall: Partial<ApiCall> = {},
  overTransport: Partial<TransportOptions> = {},
) {
  const server = await kept(answering(onRequest));
  const transport = await kept(
    openUndiciTransport({ baseUrl: server.url, profile: sandboxProfile(), connections: 1, clock, ...overTransport }),
  );
  const events: StreamEvent[] = [];
  const opened = await transport.openStream(
    { ...call, ...overCall },
    { onEvent: (seen) => events.push(seen), ...over },
  );
  return { server, transport, events, ...opened };
}

describe('a stream', () => {
  it('shakes hands as an exchange, hands every event over and ends with the turn', async () => {
    let toldAt = Number.POSITIVE_INFINITY;
    const { server, reply, events, ended } = await stream((socket, request) => {
      accept(socket, request);
      socket.write(
        Buffer.concat([
          event('turn.status', { sequence: 0, status: 'processing' }),
          frame('', 9),
          event('answer.delta', { sequence: 1, delta: 'Hi' }),
        ]),
      );
      setTimeout(() => {
        toldAt = clock.now();
        socket.write(event('turn.completed', { sequence: 2 }));
      }, 30);
    });
    expect(reply).toMatchObject({
      kind: 'answer',
      status: 101,
      connection: 1,
      headers: { date: 'Sat, 21 Nov 2026 12:00:00 GMT' },
    });
    const end = await ended;
    expect(end).toEqual({ at: events.at(-1)?.at, reason: 'completed' });
    expect(events.map(({ event: kind, sequence, status }) => [kind, sequence, status])).toEqual([
      ['status', 0, 'processing'],
      ['delta', 1, undefined],
      ['completed', 2, undefined],
    ]);
    expect(end?.at).toBeGreaterThanOrEqual(toldAt);
    const head = server.received().slice(0, server.received().indexOf('\r\n\r\n') + 4);
    expect(head).toContain('GET /api/partners/v1/turns/turn-1/stream HTTP/1.1');
    expect(head).toContain('authorization: Bearer opaque-token-never-shown');
    expect(head).not.toMatch(/sec-websocket-extensions/i);
    expect(reply.bytes.sent).toBe(head.length);
  });

  it('reads nothing after the turn has ended, and closes normally', async () => {
    const { server, events, ended } = await stream((socket, request) => {
      accept(socket, request);
      socket.write(Buffer.concat([event('turn.failed'), event('turn.completed')]));
    });
    expect((await ended)?.reason).toBe('failed');
    expect(events.map((seen) => seen.event)).toEqual(['failed']);
    // A client's close frame is masked: 0x88, 0x80 | length.
    await expect.poll(() => server.received().includes('\x88\x82')).toBe(true);
  });

  it.each([
    ['by a close frame', (socket: Socket) => socket.write(closeFrame(1011)), { reason: 'dropped', code: 1011 }],
    ['by an empty close frame', (socket: Socket) => socket.write(frame('', 8)), { reason: 'dropped' }],
    ['by closing the connection', (socket: Socket) => socket.end(), { reason: 'dropped' }],
    ['by a reset', (socket: Socket) => socket.resetAndDestroy(), { reason: 'dropped' }],
  ])('dropped %s', async (_, drop, expected) => {
    const { ended } = await stream((socket, request) => {
      accept(socket, request);
      socket.write(event('turn.status'));
      setTimeout(() => drop(socket), 20);
    });
    const { at, ...end } = (await ended) ?? { at: 0 };
    expect(end).toEqual(expected);
    expect(at).toBeGreaterThan(0);
  });

  it('an invalid event is unknown and the stream continues; a frame above the limit ends it', async () => {
    const { events, ended } = await stream((socket, request) => {
      accept(socket, request);
      const tooLarge = Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 0x20, 0, 0]);
      socket.write(Buffer.concat([frame('not json'), frame(Buffer.from([1, 2]), 2), event('turn.new'), tooLarge]));
    });
    expect((await ended)?.reason).toBe('dropped');
    expect(events.map((seen) => [seen.event, seen.data])).toEqual([
      ['unknown', undefined],
      ['unknown', undefined],
      ['unknown', { event: 'turn.new', turn_id: 'turn-1' }],
      ['unknown', undefined],
    ]);
  });

  it('treats an event of another turn as unknown, and not as the end', async () => {
    const { events, ended } = await stream((socket, request) => {
      accept(socket, request);
      socket.write(event('turn.completed', { turn_id: 'turn-2' }));
      socket.write(event('turn.completed', { turn_id: 'TURN-1', sequence: 1 }));
    });
    expect((await ended)?.reason).toBe('completed');
    expect(events.map((seen) => [seen.event, (seen.data as { turn_id?: string }).turn_id])).toEqual([
      ['unknown', 'turn-2'],
      ['completed', 'TURN-1'],
    ]);
  });

  it('ends at its deadline, and when it is stopped', async () => {
    const deadlineAt = (clock.now() + ms(120)) as Micros;
    const late = await stream(accept, { deadlineAt });
    const end = await late.ended;
    expect(end?.reason).toBe('deadline');
    expect(end?.at).toBeGreaterThanOrEqual(deadlineAt);
    const stopping = new AbortController();
    const stopped = await stream(accept, { signal: stopping.signal });
    stopping.abort();
    expect((await stopped.ended)?.reason).toBe('stopped');
    const closed = await stream(accept);
    await closed.transport.close();
    expect((await closed.ended)?.reason).toBe('stopped');
    await expect.poll(() => [late, stopped, closed].every(({ server }) => server.sockets[0]?.destroyed)).toBe(true);
  });
});

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
