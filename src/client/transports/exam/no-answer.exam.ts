import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import type { ApiReply } from '../../../api/index.ts';
import { answering, eachRequest, jsonAnswer, rawServer } from '../raw-server.exam.ts';
import { call, clock, ms, type Setting, SOON, TOKEN } from './setting.exam.ts';

/** Servers that are down, refuse connections or do not answer; and requests that cannot be sent. */
export function noAnswerExam(name: string, { test, to, against }: Setting): void {
  describe(`${name}: faults, no answer`, () => {
    test('a server that takes so many connections and no more: the calls on those go on', async () => {
      const reset: Socket[] = [];
      const { transport } = await against(
        rawServer((socket, index) => {
          if (index >= 3) return void reset.push(socket.resetAndDestroy());
          eachRequest(socket, () => socket.write(jsonAnswer({})));
        }),
        { connections: 6 },
      );
      await transport.warmUp();
      await expect.poll(() => reset.filter(({ closed }) => closed).length).toBe(3);
      // After another turn of the event loop the client has read everything that has arrived.
      await nextTurn();
      await nextTurn();
      for (let count = 0; count < 10; count++) expect(await transport.send(call())).toMatchObject({ kind: 'answer' });
      const atOnce = await Promise.all(Array.from({ length: 6 }, () => transport.send(call())));
      expect(atOnce.filter(({ kind }) => kind === 'answer').length).toBeGreaterThanOrEqual(3);
      for (const reply of atOnce) if (reply.kind !== 'answer') expect(reply.kind).toBe('failed');
      expect(await transport.send(call())).toMatchObject({ kind: 'answer' });
    });

    test('a server that refuses connections after a thousand: each call before is answered, each after fails unsent', async () => {
      let accepted = 0;
      const { server, transport } = await against(
        rawServer((socket) => {
          if (++accepted === 1_000) server.stopListening();
          eachRequest(socket, () => socket.end(jsonAnswer({}, '200 OK', 'connection: close\r\n')));
        }),
        { connections: 1 },
      );
      const replies: ApiReply[] = [];
      for (let count = 0; count < 1_010; count++) replies.push(await transport.send(call()));
      expect(replies.findIndex(({ kind }) => kind !== 'answer')).toBe(1_000);
      for (const reply of replies.slice(1_000))
        expect(reply).toMatchObject({ kind: 'failed', failure: 'ECONNREFUSED', bytes: { sent: 0, received: 0 } });
    });

    test('a server that never answers: each call is censored at its own deadline', async () => {
      const { transport } = await against(
        answering(() => undefined),
        { connections: 3 },
      );
      const replies = await Promise.all([90, 40, 140].map((after) => transport.send(call({ deadlineUs: ms(after) }))));
      const waited = replies.map((reply) => reply.receivedAt - reply.sentAt);
      expect(replies.map((reply) => reply.kind !== 'answer' && reply.failure)).toEqual(Array(3).fill('deadline'));
      for (const [index, after] of [90, 40, 140].entries()) expect(waited[index]).toBeGreaterThanOrEqual(ms(after));
    });

    test('a call whose deadline is short is not kept waiting by another whose deadline is long', async () => {
      const { transport } = await against(
        answering(() => undefined),
        { connections: 2 },
      );
      const stopping = new AbortController();
      const long = transport.send(call({ deadlineUs: ms(600_000) }), stopping.signal);
      expect(await transport.send(call({ deadlineUs: ms(40) }))).toMatchObject({ failure: 'deadline' });
      stopping.abort();
      expect(await long).toMatchObject({ failure: 'stopped' });
    });

    test('no answer: censored at the deadline, never before, and a late answer meets nobody', async () => {
      // Not after some time: a loop that stands still for as long would find the answer in time.
      let answerLate = () => {};
      const { server, transport } = await against(
        rawServer((socket, index) =>
          socket.once('data', () => {
            const answer = () => void socket.write(jsonAnswer({ index }));
            if (index === 0) answerLate = answer;
            else answer();
          }),
        ),
        { connections: 1 },
      );
      const late = await transport.send(call({ deadlineUs: ms(60) }));
      answerLate();
      expect(late).toMatchObject({ kind: 'censored', failure: 'deadline' });
      expect(late.receivedAt - late.sentAt).toBeGreaterThanOrEqual(ms(60));
      expect('headersAt' in late).toBe(false);
      const next = await transport.send(call());
      expect(next).toMatchObject({ kind: 'answer', body: { index: 1 } });
      expect(server.sockets[0]?.destroyed || server.sockets[0]?.readableEnded).toBe(true);
    });

    test('no answer on a connection that has answered before: no headers of the last answer, nor its bytes', async () => {
      const { transport } = await against(
        answering((socket, { nth }) => nth === 0 && socket.write(jsonAnswer({}))),
        { connections: 1 },
      );
      expect(await transport.send(call())).toMatchObject({ kind: 'answer', connection: 1 });
      const late = await transport.send(call({ deadlineUs: ms(40) }));
      expect(late).toMatchObject({ kind: 'censored', connection: 1, bytes: { received: 0 } });
      expect('headersAt' in late).toBe(false);
    });

    test('an answer that came in time, and the loop stood still until after the deadline: not missed', async () => {
      const { transport } = await against(
        answering((socket) => {
          socket.write(jsonAnswer({}));
          const until = clock.now() + ms(80);
          while (clock.now() < until);
        }),
      );
      const reply = await transport.send(call({ deadlineUs: ms(40) }));
      expect(reply).toMatchObject({ kind: 'answer', status: 200 });
      expect(reply.receivedAt - reply.sentAt).toBeGreaterThanOrEqual(ms(80));
    });

    test('headers that never end: censored at the deadline, without headersAt', async () => {
      const { transport } = await against(answering((socket) => socket.write('HTTP/1.1 200 OK\r\nx: y\r\n')));
      const reply = await transport.send(call({ deadlineUs: SOON }));
      expect(reply).toMatchObject({ kind: 'censored', failure: 'deadline', bytes: { received: 23 } });
      expect('headersAt' in reply).toBe(false);
    });

    test('a body that never ends: censored at the deadline, with headersAt', async () => {
      const { transport } = await against(answering((socket) => socket.write(jsonAnswer({ a: 1 }).slice(0, -1))));
      const reply = await transport.send(call({ deadlineUs: SOON }));
      expect(reply).toMatchObject({ kind: 'censored', failure: 'deadline' });
      expect(reply.headersAt).toBeLessThan(reply.receivedAt);
    });

    test('a refused connection: failed, nothing sent', async () => {
      const transport = await to('http://127.0.0.1:1', { connections: 2 });
      expect(await transport.warmUp()).toEqual({ opened: 0, failures: ['ECONNREFUSED', 'ECONNREFUSED'] });
      const reply = await transport.send(call());
      expect(reply).toMatchObject({ kind: 'failed', failure: 'ECONNREFUSED', bytes: { sent: 0, received: 0 } });
      expect('connection' in reply).toBe(false);
    });

    test('an unknown host', async () => {
      const transport = await to('http://no-such-host.invalid');
      const reply = await transport.send(call());
      expect(reply.kind === 'failed' && reply.failure).toMatch(/^(ENOTFOUND|EAI_AGAIN)$/);
    });

    test('a token that is no header value: failed, nothing sent, the connection lives on', async () => {
      const { transport } = await against(answering(jsonAnswer({})), { connections: 1 });
      const reply = await transport.send(call({ credentials: { kind: 'bearer', token: `${TOKEN}\r\nx: y` } }));
      expect(reply).toMatchObject({ kind: 'failed', failure: 'invalid-request', bytes: { sent: 0, received: 0 } });
      expect(JSON.stringify(reply)).not.toContain('never-shown');
      expect(await transport.send(call())).toMatchObject({ kind: 'answer', status: 200 });
    });

    test('half of a character in the path: failed, nothing sent, the connection lives on', async () => {
      const { transport } = await against(answering(jsonAnswer({})), { connections: 1 });
      const reply = await transport.send(call({ parameters: { conversation_id: 'a\ud800' } }));
      expect(reply).toMatchObject({ kind: 'failed', failure: 'invalid-request', bytes: { sent: 0, received: 0 } });
      expect(await transport.send(call())).toMatchObject({ kind: 'answer', status: 200 });
    });

    test('one that cannot be written after the other leaves the loop to others', async () => {
      const { transport } = await against(answering(jsonAnswer({})), { connections: 2 });
      let turns = 0;
      let next: NodeJS.Immediate;
      const turn = () => {
        turns += 1;
        next = setImmediate(turn);
      };
      next = setImmediate(turn);
      for (let count = 0; count < 200; count++)
        await transport.send(call({ parameters: { conversation_id: '\ud800' } }));
      clearImmediate(next);
      expect(turns).toBeGreaterThan(50);
    });

    test("a missing path parameter is the caller's defect and gives the connection back", async () => {
      const { transport } = await against(answering(jsonAnswer({})), { connections: 1 });
      await expect(transport.send(call({ parameters: {} }))).rejects.toThrow('conversation_id');
      expect(await transport.send(call())).toMatchObject({ kind: 'answer' });
    });
  });
}
