import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Micros } from '../base/index.ts';
import { accept, event, frame, streamSetting } from './stream-server.exam.ts';
import { clock, ms } from './transports/exam/setting.exam.ts';

const { stream } = streamSetting();
const closeFrame = (code: number) => frame(Buffer.from([code >> 8, code & 0xff]), 8);

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

  it('counts the bytes of the handshake, not those of events that came with it', async () => {
    const alone = await stream((socket, request) => {
      accept(socket, request);
      socket.end();
    });
    const together = await stream((socket, request) => {
      socket.cork();
      accept(socket, request);
      socket.write(event('turn.completed'));
      socket.uncork();
    });
    expect((await together.ended)?.reason).toBe('completed');
    expect(together.reply.bytes.received).toBe(alone.reply.bytes.received);
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
    ['by a close frame', (socket: Socket) => socket.write(closeFrame(1011)), { reason: 'dropped' }],
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
    expect(await ended).toMatchObject({
      reason: 'dropped',
      because: 'stream event of more than 1 MiB, the most that is read',
    });
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
    const deadlineAt = (clock.now() + ms(500)) as Micros;
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
