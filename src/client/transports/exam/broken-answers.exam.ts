import type { Socket } from 'node:net';
import { describe, expect } from 'vitest';
import type { TransportOptions } from '../../transport.ts';
import { answering, jsonAnswer, type RawServer, rawServer } from '../raw-server.exam.ts';
import { call, type Setting } from './setting.exam.ts';

const UNTIL_CLOSE = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{"a":1}';

/** The client reads in the same event loop: it finds the bytes and the reset at once. */
const thenReset = (bytes: string) => (socket: Socket) => {
  socket.write(bytes);
  socket.resetAndDestroy();
};

/** Invalid or incomplete answers. */
export function brokenAnswersExam(name: string, { test, against }: Setting): void {
  describe(`${name}: faults, broken answers`, () => {
    const faults: Record<
      string,
      { server: () => Promise<RawServer>; failure: string; over?: Partial<TransportOptions> }
    > = {
      'garbage instead of an answer': { server: () => answering('SSH-2.0-OpenSSH_9.6\r\n'), failure: 'protocol' },
      'a protocol switch that nobody asked for': {
        server: () => answering('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
        failure: 'protocol',
      },
      'a protocol switch without a protocol': {
        server: () => answering('HTTP/1.1 101 X\r\n\r\n'),
        failure: 'protocol',
      },
      'a status that is none': {
        server: () => answering(jsonAnswer({}, '000 Nothing')),
        failure: 'protocol',
      },
      'a status below 100': {
        server: () => answering(jsonAnswer({}, '099 Nothing')),
        failure: 'protocol',
      },
      'a malformed header': { server: () => answering('HTTP/1.1 200 OK\r\nbad header\r\n\r\n'), failure: 'protocol' },
      'closed before a byte of an answer': {
        server: () => answering((socket) => socket.end()),
        failure: 'closed-before-answer',
      },
      'closed in the status line': {
        server: () => answering((socket) => socket.end('HTTP/1.1 20')),
        failure: 'closed-mid-answer',
      },
      'closed in the body': {
        server: () => answering((socket) => socket.end(jsonAnswer({ a: 1 }).slice(0, -2))),
        failure: 'closed-mid-answer',
      },
      'closed between two chunks': {
        server: () =>
          answering((socket) => socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n')),
        failure: 'closed-mid-answer',
      },
      'reset in a body that ends with the connection': {
        server: () =>
          answering((socket) =>
            // After the client has read.
            socket.write(UNTIL_CLOSE, () => setTimeout(() => setImmediate(() => socket.resetAndDestroy()), 20)),
          ),
        failure: 'ECONNRESET',
      },
      'a reset that is read together with a body that ends with the connection': {
        server: () => answering(thenReset(UNTIL_CLOSE)),
        failure: 'ECONNRESET',
      },
      'a reset that is read together with half of a body': {
        server: () => answering(thenReset(jsonAnswer({ a: 1 }).slice(0, -2))),
        failure: 'ECONNRESET',
      },
      'a reset that is read together with half of the headers': {
        server: () => answering(thenReset(jsonAnswer({ a: 1 }).slice(0, 30))),
        failure: 'ECONNRESET',
      },
      reset: { server: () => answering((socket) => socket.resetAndDestroy()), failure: 'ECONNRESET' },
      'a body above the bound': {
        server: () => answering(jsonAnswer('x'.repeat(2_000))),
        failure: 'answer-too-large',
        over: { maxAnswerBytes: 1_000 },
      },
      'a chunked body above the bound': {
        server: () =>
          answering(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n7d0\r\n${'x'.repeat(2_000)}\r\n0\r\n\r\n`),
        failure: 'answer-too-large',
        over: { maxAnswerBytes: 1_000 },
      },
      'headers above 16 KiB': {
        server: () => answering(jsonAnswer({}, '200 OK', `x-long: ${'x'.repeat(20_000)}\r\n`)),
        failure: 'headers-too-large',
      },
      'both a length and a coding': {
        server: () => answering(jsonAnswer({}, '200 OK', 'transfer-encoding: chunked\r\n')),
        failure: 'protocol',
      },
      'two lengths': {
        server: () => answering(jsonAnswer({}, '200 OK', 'content-length: 2\r\n')),
        failure: 'protocol',
      },
      'a folded header': { server: () => answering(jsonAnswer({}, '200 OK', 'x: a\r\n b\r\n')), failure: 'protocol' },
      'lines that end in LF alone': {
        server: () => answering(jsonAnswer({}).replaceAll('\r\n', '\n')),
        failure: 'protocol',
      },
      'half of the connection closed in the midst of the headers': {
        server: () => answering((socket) => socket.end(jsonAnswer({}).slice(0, 30))),
        failure: 'closed-mid-answer',
      },
    };
    for (const [title, { server, failure, over }] of Object.entries(faults)) {
      test(title, async () => {
        const { transport } = await against(server(), over);
        const reply = await transport.send(call());
        expect(reply).toMatchObject({ kind: 'failed', failure });
        expect(reply.bytes.sent).toBeGreaterThan(0);
        expect(reply.receivedAt).toBeGreaterThanOrEqual(reply.sentAt);
        expect(JSON.stringify(reply)).not.toMatch(/never-shown|stays at home|hunter2/);
        expect(transport.takeUnasked()).toEqual([]);
      });
    }

    test('closed after an interim answer: no headers of a final one were received', async () => {
      const { transport } = await against(
        answering((socket) => socket.end('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')),
      );
      const reply = await transport.send(call());
      expect(reply).toMatchObject({ kind: 'failed', failure: 'closed-mid-answer' });
      expect('headersAt' in reply).toBe(false);
    });

    test('headers without an end: refused at the bound, whatever else is sent', async () => {
      let taken = 0;
      const { transport } = await against(
        answering((socket) => {
          socket.write('HTTP/1.1 200 OK\r\n');
          const line = `x: ${'y'.repeat(60_000)}\r\n`;
          const pour = () => {
            while (!socket.destroyed && taken < 100_000_000 && socket.write(line)) taken += line.length;
          };
          socket.on('drain', pour);
          pour();
        }),
      );
      expect(await transport.send(call())).toMatchObject({ kind: 'failed', failure: 'headers-too-large' });
      // Only what fits into the buffers of the system.
      expect(taken).toBeLessThan(20_000_000);
    });

    test('after a fault the next call has another connection and its own answer', async () => {
      const { transport } = await against(
        rawServer((socket, index) =>
          socket.once('data', () => (index === 0 ? socket.resetAndDestroy() : socket.write(jsonAnswer({ index })))),
        ),
        { connections: 1 },
      );
      const [first, second] = [await transport.send(call()), await transport.send(call())];
      expect(first.kind).toBe('failed');
      expect(second).toMatchObject({ kind: 'answer', body: { index: 1 } });
      expect(second.connection).not.toBe(first.connection);
    });
  });
}
