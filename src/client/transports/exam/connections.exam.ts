import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import type { ApiCall, ApiReply } from '../../../api/index.ts';
import type { Transport } from '../../transport.ts';
import { answering, jsonAnswer } from '../raw-server.exam.ts';
import { call, clock, ms, type Setting, SOON, sent } from './setting.exam.ts';

/** The connection pool: its size, and how and in which order connections are lent. */
export function connectionsExam(name: string, { test, to, against }: Setting): void {
  describe(`${name}: connections`, () => {
    test('opened before the first request, without a byte sent', async () => {
      const { server, transport } = await against(answering(jsonAnswer({})), { connections: 5 });
      expect(await transport.warmUp()).toEqual({ opened: 5, failures: [] });
      await expect.poll(() => server.sockets.length).toBe(5);
      expect(server.received()).toBe('');
      await Promise.all(Array.from({ length: 5 }, () => transport.send(call())));
      expect(server.sockets.length).toBe(5);
    });

    test('ten calls each on three connections: never a fourth', async () => {
      const { server, transport } = await against(
        answering((socket) => setTimeout(() => socket.write(jsonAnswer({})), 2)),
        { connections: 3 },
      );
      const thirty = () => Promise.all(Array.from({ length: 30 }, () => transport.send(call())));
      // Twice: a connection that went from one to the next must not count as free as well.
      const replies = [...(await thirty()), ...(await thirty())];
      expect(replies.map((reply) => reply.kind)).toEqual(Array(60).fill('answer'));
      expect([server.sockets.length, server.mostOpen()]).toEqual([3, 3]);
      expect(new Set(replies.map((reply) => reply.connection)).size).toBe(3);
    });

    test('a call without an answer gives its connection back once', async () => {
      let requests = 0;
      const { transport } = await against(
        answering((socket) => {
          if (requests++ > 0) setTimeout(() => socket.write(jsonAnswer({})), 20);
        }),
        { connections: 1 },
      );
      expect(await transport.send(call({ deadlineUs: SOON }))).toMatchObject({ failure: 'deadline' });
      const [first, second] = await Promise.all([transport.send(call()), transport.send(call())]);
      expect([first.kind, second.kind]).toEqual(['answer', 'answer']);
      expect(second.sentAt).toBeGreaterThanOrEqual(first.receivedAt);
    });

    test('nothing queues after sentAt: no more intervals overlap than there are connections, and arrival follows sentAt', async () => {
      const arrivals: { readonly id: string; readonly at: number }[] = [];
      const { transport } = await against(
        answering((socket, request) => {
          arrivals.push({ id: (JSON.parse(request.body) as { id: string }).id, at: clock.now() });
          setTimeout(() => socket.write(jsonAnswer({})), 10);
        }),
        { connections: 2 },
      );
      await transport.warmUp();
      const sent = await Promise.all(
        Array.from({ length: 12 }, async (_, index) => ({
          id: String(index),
          reply: await transport.send(call({ body: { id: String(index) } })),
        })),
      );
      const inOrder = [...sent].sort((a, b) => a.reply.sentAt - b.reply.sentAt);
      for (const { id, reply } of sent) {
        const others = sent.filter(
          (other) => other.id !== id && other.reply.sentAt <= reply.sentAt && reply.sentAt < other.reply.receivedAt,
        );
        expect(others.length).toBeLessThanOrEqual(1);
        const arrival = arrivals.find((entry) => entry.id === id)?.at ?? 0;
        expect(arrival >= reply.sentAt && arrival <= reply.receivedAt).toBe(true);
      }
      const byConnection = (connection: number | undefined) =>
        inOrder.filter((entry) => entry.reply.connection === connection).map((entry) => entry.id);
      for (const connection of new Set(sent.map((entry) => entry.reply.connection))) {
        const ids = byConnection(connection);
        expect(arrivals.map((entry) => entry.id).filter((id) => ids.includes(id))).toEqual(ids);
      }
    });

    test('a connection that the server closed between two calls is opened again before sentAt; nothing is sent twice', async () => {
      const { server, transport } = await against(
        answering((socket) => socket.end(jsonAnswer({}))),
        { connections: 1 },
      );
      const replies = [];
      for (let count = 0; count < 3; count++) {
        replies.push(await transport.send(call()));
        await expect.poll(() => server.sockets[count]?.destroyed).toBe(true);
      }
      expect(replies.map((reply) => [reply.kind, reply.connection])).toEqual([
        ['answer', 1],
        ['answer', 2],
        ['answer', 3],
      ]);
      expect(server.received().match(/POST /g)).toHaveLength(3);
    });

    for (const [seconds, afterMs, connection] of [
      [600, 600, 1],
      [1, 0, 1],
      [1, 600, 2],
      [2, 600, 1],
      [0, 0, 2],
    ] as const)
      test(`a connection that the server keeps for ${seconds} s, after ${afterMs} ms: connection ${connection}`, async () => {
        const { transport } = await against(answering(jsonAnswer({}, '200 OK', `keep-alive: timeout=${seconds}\r\n`)), {
          connections: 1,
        });
        expect(await transport.send(call())).toMatchObject({ kind: 'answer', connection: 1 });
        if (afterMs > 0) await sleep(afterMs);
        expect(await transport.send(call())).toMatchObject({ kind: 'answer', connection });
      });

    test('a connection that the server is going to close, as it says, carries no other request', async () => {
      const { server, transport } = await against(answering(jsonAnswer({}, '200 OK', 'connection: close\r\n')), {
        connections: 1,
      });
      const replies = [await transport.send(call()), await transport.send(call())];
      expect(replies).toMatchObject([
        { kind: 'answer', connection: 1 },
        { kind: 'answer', connection: 2 },
      ]);
      await expect.poll(() => server.sockets[0]?.destroyed).toBe(true);
    });

    test('a lease sends once, and gives its connection back unused', async () => {
      const { transport } = await against(answering(jsonAnswer({})), { connections: 1 });
      const lease = await transport.acquire();
      lease?.release();
      lease?.release();
      expect(() => lease?.send(call(), undefined, () => undefined)).toThrow('lease');
      const [first, second] = [await transport.acquire(), transport.acquire()];
      expect(await sent(first)).toMatchObject({ kind: 'answer' });
      expect(await sent(await second)).toMatchObject({ kind: 'answer', connection: 1 });
    });

    test('calls are announced in the order of sentAt, on connections that idled and that have just answered', async () => {
      const { transport } = await against(answering(jsonAnswer({})), { connections: 4 });
      await transport.warmUp();
      const sentAt: number[] = [];
      const announced: ApiReply[] = [];
      const sendOne = async () => {
        let number = -1;
        const onSending = () => {
          number = sentAt.push(0) - 1;
        };
        const reply = await transport.send(call({ onSending }));
        sentAt[number] = reply.sentAt;
        announced.push(reply);
      };
      for (let round = 0; round < 10; round++) {
        await sendOne();
        await Promise.all([sendOne(), sendOne(), sendOne(), sendOne()]);
      }
      expect(announced.map(({ kind }) => kind)).toEqual(Array(50).fill('answer'));
      expect(sentAt).toEqual([...sentAt].sort((a, b) => a - b));
    });

    test('a call is announced once, whatever becomes of it', async () => {
      const count = async (transport: Transport, over: Partial<ApiCall> = {}, signal?: AbortSignal) => {
        let announced = 0;
        const reply = await transport.send(call({ ...over, onSending: () => void announced++ }), signal);
        return [reply.kind === 'answer' ? reply.status : reply.failure, announced];
      };
      const { transport } = await against(answering(jsonAnswer({})));
      expect(await count(transport)).toEqual([200, 1]);
      expect(await count(transport, {}, AbortSignal.abort())).toEqual(['stopped', 1]);
      const reset = await against(answering((socket) => socket.resetAndDestroy()));
      expect(await count(reset.transport)).toEqual(['ECONNRESET', 1]);
      const silent = await against(answering(() => undefined));
      expect(await count(silent.transport, { deadlineUs: ms(50) })).toEqual(['deadline', 1]);
      await transport.close();
      expect(await count(transport)).toEqual(['stopped', 1]);
      expect(await count(await to('http://127.0.0.1:1'))).toEqual(['ECONNREFUSED', 1]);
      const lease = await silent.transport.acquire();
      let announced = 0;
      await silent.transport.close();
      await sent(lease, { onSending: () => void announced++ });
      expect(announced).toBe(1);
    });

    test('waiters are served first come, first served', async () => {
      const { transport } = await against(answering(jsonAnswer({})), { connections: 1 });
      const order: number[] = [];
      await Promise.all(
        [0, 1, 2, 3].map(async (index) => {
          const lease = await transport.acquire();
          order.push(index);
          await sent(lease);
        }),
      );
      expect(order).toEqual([0, 1, 2, 3]);
    });
  });
}
