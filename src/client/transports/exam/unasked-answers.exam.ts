import type { Socket } from 'node:net';
import { describe, expect } from 'vitest';
import type { ApiReply } from '../../../api/index.ts';
import type { Lease } from '../../transport.ts';
import { answering, eachRequest, jsonAnswer, rawServer } from '../raw-server.exam.ts';
import { call, type Setting, unaskedOn } from './setting.exam.ts';

/** Answers that arrive without a request, or twice. */
export function unaskedAnswersExam(name: string, { test, against }: Setting): void {
  describe(`${name}: faults, answers that nobody asked for`, () => {
    test('garbage between two answers: the first stands, the second comes on another connection', async () => {
      const { server, transport } = await against(
        answering((socket, { nth }) => socket.write(`${jsonAnswer({ nth })}HTTP/1.1 200 OK\r\nnever: asked\r\n`)),
        { connections: 1 },
      );
      const [first, second] = [await transport.send(call()), await transport.send(call())];
      expect([first, second]).toMatchObject([
        { kind: 'answer', body: { nth: 0 }, connection: 1 },
        { kind: 'answer', body: { nth: 0 }, connection: 2 },
      ]);
      expect(server.sockets).toHaveLength(2);
    });

    test('an answer that nobody asked for is taken for nobody', async () => {
      const { server, transport } = await against(answering(jsonAnswer({ asked: true })), { connections: 1 });
      await transport.warmUp();
      await expect.poll(() => server.sockets.length).toBe(1);
      await new Promise((written) => server.sockets[0]?.write(jsonAnswer({ asked: false }), written));
      expect(await transport.send(call())).toMatchObject({ kind: 'answer', body: { asked: true }, connection: 2 });
      expect(await unaskedOn(transport, 1)).toBe(1);
    });

    test('a 408 on a connection that was opened in advance only says why it is closed', async () => {
      const { server, transport } = await against(answering(jsonAnswer({ asked: true })), { connections: 1 });
      await transport.warmUp();
      await expect.poll(() => server.sockets.length).toBe(1);
      await new Promise((written) => server.sockets[0]?.write(jsonAnswer({}, '408 Request Timeout'), written));
      expect(await transport.send(call())).toMatchObject({ kind: 'answer', body: { asked: true }, connection: 2 });
      await transport.close();
      expect(transport.takeUnasked()).toEqual([]);
    });

    const twice: Record<string, (socket: Socket, one: string, other: string) => void> = {
      'in one segment': (socket, one, other) => socket.write(one + other),
      'in two segments at once': (socket, one, other) => {
        socket.write(one);
        socket.write(other);
      },
      'two turns apart': (socket, one, other) => {
        socket.write(one);
        // The client runs in the same event loop: by then it has read the first answer, but the server not yet its next request.
        setImmediate(() => setImmediate(() => socket.write(other)));
      },
    };
    for (const [when, answerTwice] of Object.entries(twice))
      test(`two answers to each request, ${when}: a request sent at once gets none that was there before it`, async () => {
        const { transport } = await against(
          answering((socket, { body }) =>
            answerTwice(socket, jsonAnswer(JSON.parse(body)), jsonAnswer({ id: 'surplus' })),
          ),
          { connections: 1 },
        );
        const replies: ApiReply[] = [];
        await new Promise<void>((ended) => {
          const sendNext = (lease: Lease | undefined) =>
            lease?.send(call({ body: { id: replies.length } }), undefined, (reply) => {
              replies.push(reply);
              const held = transport.tryAcquire();
              if (replies.length === 5) ended();
              else if (held) sendNext(held);
              else void transport.acquire().then(sendNext);
            });
          void transport.acquire().then(sendNext);
        });
        for (const [id, reply] of replies.entries()) expect(reply).toMatchObject({ kind: 'answer', body: { id } });
        expect(new Set(replies.map(({ connection }) => connection)).size).toBe(5);
        expect(await unaskedOn(transport, 5)).toBe(5);
      });

    test('an answer that is none was asked for', async () => {
      const { transport } = await against(answering('HTP/1.1 200 OK\r\n\r\n'), { connections: 1 });
      expect(await transport.send(call())).toMatchObject({ failure: 'protocol' });
      const close = jsonAnswer({}).replace('\r\n', '\r\nconnection: close\r\n');
      const { transport: polite } = await against(answering(close), { connections: 1 });
      expect(await polite.send(call())).toMatchObject({ kind: 'answer' });
      expect(await polite.send(call())).toMatchObject({ kind: 'answer' });
      await Promise.all([transport.close(), polite.close()]);
      expect([transport.takeUnasked(), polite.takeUnasked()]).toEqual([[], []]);
    });

    test('a second answer to a request, 20 ms after the first: the next one has another connection', async () => {
      const { server, transport } = await against(
        answering((socket, { body }) => {
          socket.write(jsonAnswer(JSON.parse(body)));
          setTimeout(() => socket.write(jsonAnswer({ id: 'surplus' })), 20);
        }),
        { connections: 1 },
      );
      for (let id = 0; id < 3; id++) {
        const reply = await transport.send(call({ body: { id } }));
        expect(reply).toMatchObject({ kind: 'answer', body: { id }, connection: id + 1 });
        await expect.poll(() => server.sockets[id]?.destroyed).toBe(true);
      }
      expect(await unaskedOn(transport, 3)).toBe(3);
    });

    test('one that comes while the next answer is awaited cannot be told from it, but misleads no further request', async () => {
      const { server, transport } = await against(
        answering((socket, { body, nth }) => {
          // The surplus answer arrives after the next request was sent, while its answer is awaited.
          if (nth === 1) socket.write(jsonAnswer({ id: 'surplus' }));
          socket.write(jsonAnswer(JSON.parse(body)));
        }),
        { connections: 1 },
      );
      const first = await transport.send(call({ body: { id: 0 } }));
      const misled = await transport.send(call({ body: { id: 1 } }));
      expect([first, misled]).toMatchObject([{ body: { id: 0 } }, { body: { id: 'surplus' }, connection: 1 }]);
      await expect.poll(() => server.sockets[0]?.destroyed).toBe(true);
      expect(await transport.send(call({ body: { id: 2 } }))).toMatchObject({ body: { id: 2 }, connection: 2 });
      expect(transport.takeUnasked()).toEqual([1]);
    });

    test('an answer before the whole request was sent: it stands, and the connection carries no other request', async () => {
      const { transport } = await against(
        rawServer((socket, index) => {
          socket.once('data', () => {
            // The rest of the request stays with the sender.
            socket.pause();
            socket.write(jsonAnswer({ index }, '413 Content Too Large'));
          });
        }),
        { connections: 1 },
      );
      const body = { text: 'x'.repeat(20_000_000) };
      const [first, second] = [await transport.send(call({ body })), await transport.send(call())];
      expect([first, second]).toMatchObject([
        { kind: 'answer', status: 413, body: { index: 0 }, connection: 1 },
        { kind: 'answer', body: { index: 1 }, connection: 2 },
      ]);
    });

    test('a server that speaks before it is asked is not taken to have answered', async () => {
      const { transport } = await against(
        rawServer((socket, index) => {
          if (index === 0) socket.write(jsonAnswer({ asked: false }));
          eachRequest(socket, () => socket.write(jsonAnswer({ asked: true })));
        }),
        { connections: 1 },
      );
      expect(await transport.send(call())).toMatchObject({ kind: 'answer', body: { asked: true }, connection: 2 });
    });
  });
}
