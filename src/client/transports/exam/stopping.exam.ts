import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, vi } from 'vitest';
import type { ApiReply } from '../../../api/index.ts';
import { answering, jsonAnswer } from '../raw-server.exam.ts';
import { call, type Setting } from './setting.exam.ts';

/** What closing and aborting do to open calls. */
export function stoppingExam(name: string, { test, against }: Setting): void {
  describe(`${name}: stopping`, () => {
    test('an aborted signal censors what is in flight and what waits', async () => {
      const { server, transport } = await against(
        answering(() => undefined),
        { connections: 1 },
      );
      const stopping = new AbortController();
      const flying = transport.send(call(), stopping.signal);
      const waiting = transport.send(call(), stopping.signal);
      await expect.poll(() => server.received()).toContain('POST');
      stopping.abort();
      expect(await flying).toMatchObject({ kind: 'censored', failure: 'stopped' });
      expect((await flying).bytes.sent).toBeGreaterThan(0);
      expect(await waiting).toMatchObject({ kind: 'censored', failure: 'stopped', bytes: { sent: 0, received: 0 } });
      expect(await transport.acquire(stopping.signal)).toBeUndefined();
      await expect.poll(() => server.sockets[0]?.destroyed).toBe(true);
    });

    test('a call that is stopped as it is sent is censored', async () => {
      const { transport } = await against(
        answering(() => undefined),
        { connections: 1 },
      );
      const stopping = new AbortController();
      const stopped = await transport.send(call({ onSending: () => stopping.abort() }), stopping.signal);
      expect(stopped).toMatchObject({ kind: 'censored', failure: 'stopped' });
    });

    test('closing leaves no timer behind that would keep the process from ending', async () => {
      const { server, transport } = await against(
        answering((socket, { nth }) => nth === 0 && socket.write(jsonAnswer({}))),
        { connections: 1 },
      );
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      try {
        expect(await transport.send(call())).toMatchObject({ kind: 'answer' });
        const flying = transport.send(call());
        while (server.received().split('POST').length < 3) await nextTurn();
        await transport.close();
        expect(await flying).toMatchObject({ kind: 'censored', failure: 'stopped' });
        while (!server.sockets[0]?.closed) await nextTurn();
        await nextTurn();
        expect(vi.getTimerCount()).toBe(0);
      } finally {
        vi.useRealTimers();
      }
    });

    test('a call that is stopped while its connection is looked at is not sent', async () => {
      const { server, transport } = await against(answering(jsonAnswer({})), { connections: 1 });
      const stopping = new AbortController();
      const first = await transport.acquire();
      const stopped = await new Promise<ApiReply>((done) =>
        // In the turn of the answer: what else may have arrived on this connection is still to be read.
        first?.send(call(), undefined, () => {
          transport.tryAcquire()?.send(call(), stopping.signal, done);
          stopping.abort();
        }),
      );
      expect(stopped).toMatchObject({ kind: 'censored', failure: 'stopped', bytes: { sent: 0, received: 0 } });
      expect(server.received().match(/POST /g)).toHaveLength(1);
    });

    test('closing ends everything', async () => {
      const { server, transport } = await against(
        answering(() => undefined),
        { connections: 2 },
      );
      await transport.warmUp();
      const flying = transport.send(call());
      await expect.poll(() => server.received()).toContain('POST');
      await transport.close();
      expect(await flying).toMatchObject({ kind: 'censored', failure: 'stopped' });
      expect(await transport.acquire()).toBeUndefined();
      expect(await transport.send(call())).toMatchObject({ kind: 'censored', failure: 'stopped' });
      await expect.poll(() => server.sockets.every((socket) => socket.destroyed)).toBe(true);
    });
  });
}
