import { describe, expect } from 'vitest';
import type { ApiReply } from '../../../api/index.ts';
import { answering, jsonAnswer } from '../raw-server.exam.ts';
import { call, ms, type Setting } from './setting.exam.ts';

/** How valid answers are read. */
export function answersExam(name: string, { test, against }: Setting): void {
  describe(`${name}: answers`, () => {
    const answered = async (answer: string): Promise<Extract<ApiReply, { kind: 'answer' }>> => {
      const { transport } = await against(answering(answer));
      const reply = await transport.send(call());
      if (reply.kind !== 'answer') throw new Error(`${reply.kind} ${reply.failure}`);
      return reply;
    };

    test('status, headers in lower case, without blanks around them and repeated ones joined, parsed body', async () => {
      const reply = await answered(
        jsonAnswer({ turn_id: 't' }, '202 Accepted', 'X-One: a \t\r\nx-one: \tb \r\n__proto__: c\r\n'),
      );
      expect(reply.status).toBe(202);
      expect(reply.body).toEqual({ turn_id: 't' });
      expect(reply.headers['x-one']).toBe('a, b');
      expect(Object.entries(reply.headers)).toContainEqual(['__proto__', 'c']);
      expect(reply.bodyProblem).toBeUndefined();
      expect(reply.sentAt <= reply.headersAt && reply.headersAt <= reply.receivedAt).toBe(true);
    });

    test('500 is an answer with its error', async () => {
      expect(await answered(jsonAnswer({ error: { code: 'internal' } }, '500 Internal Server Error'))).toMatchObject({
        status: 500,
        body: { error: { code: 'internal' } },
      });
    });

    test('chunked', async () => {
      const answer =
        'HTTP/1.1 200 OK\r\ncontent-type: application/problem+json; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{"a"\r\n3\r\n:1}\r\n0\r\n\r\n';
      expect((await answered(answer)).body).toEqual({ a: 1 });
    });

    test('of every framing, one after the other on one connection', async () => {
      const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
      // What one answer may have of extensions is not used up by those before.
      const end = `0;x=${'y'.repeat(9_000)}\r\n\r\n`;
      const chunked = (chunk: string) => `${head}transfer-encoding: chunked\r\n\r\n${chunk}${end}`;
      const answers: readonly (readonly [string, object?])[] = [
        [jsonAnswer({ a: 0 }), { a: 0 }],
        [chunked('7\r\n{"a":1}\r\n'), { a: 1 }],
        [chunked('7\r\n{"a":2}\r\n'), { a: 2 }],
        [chunked('')],
        [chunked('')],
        ['HTTP/1.1 204 No Content\r\n\r\n'],
        [jsonAnswer({ a: 6 }), { a: 6 }],
        [chunked('7\r\n{"a":7}\r\n'), { a: 7 }],
      ];
      const { transport } = await against(
        answering((socket, { nth }) => socket.write(answers[nth]?.[0] ?? '')),
        { connections: 1 },
      );
      const replies: ApiReply[] = [];
      for (const _ of answers) replies.push(await transport.send(call()));
      expect(replies.map((reply) => [reply.connection, reply.kind === 'answer' && reply.body])).toEqual(
        answers.map(([, body]) => [1, body]),
      );
    });

    test('no body: neither a body nor a problem', async () => {
      const reply = await answered('HTTP/1.1 204 No Content\r\n\r\n');
      expect([reply.status, reply.body, reply.bodyProblem]).toEqual([204, undefined, undefined]);
    });

    test('a body up to the end of the connection', async () => {
      const { transport } = await against(
        answering((socket) =>
          socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{"a":1}'),
        ),
      );
      expect(await transport.send(call())).toMatchObject({ kind: 'answer', body: { a: 1 } });
    });

    test('a body up to the end of the connection, and a reset after that', async () => {
      const { transport } = await against(
        answering((socket) =>
          socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{"a":1}', () =>
            socket.resetAndDestroy(),
          ),
        ),
      );
      expect(await transport.send(call())).toMatchObject({ kind: 'answer', body: { a: 1 } });
    });

    for (const [problem, type, body] of [
      ['not-json', 'application/json', '{"a":'],
      ['wrong-content-type', 'text/html', '{"a":1}'],
      ['wrong-content-type', 'application/jsonp', '{"a":1}'],
      ['not-utf8', 'application/json', '"\xff"'],
    ] as const) {
      test(`${type} ${JSON.stringify(body)} is ${problem}`, async () => {
        const reply = await answered(
          `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        );
        expect([reply.status, reply.bodyProblem, reply.body]).toEqual([200, problem, undefined]);
      });
    }

    test('interim answers before the final one are passed over', async () => {
      const { transport } = await against(
        answering((socket) => {
          socket.write('HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n');
          setTimeout(() => socket.write(jsonAnswer({ a: 1 })), 40);
        }),
      );
      const reply = await transport.send(call());
      expect(reply).toMatchObject({ kind: 'answer', status: 200, body: { a: 1 } });
      expect((reply.headersAt ?? 0) - reply.sentAt).toBeGreaterThanOrEqual(ms(38));
      expect(reply.kind === 'answer' && 'link' in reply.headers).toBe(false);
    });

    test('an unasked 100 Continue is passed over', async () => {
      expect(await answered(`HTTP/1.1 100 Continue\r\n\r\n${jsonAnswer({ a: 1 })}`)).toMatchObject({
        status: 200,
        body: { a: 1 },
      });
    });

    test('a 304 has no body, whatever its length says', async () => {
      const reply = await answered('HTTP/1.1 304 Not Modified\r\ncontent-length: 7\r\n\r\n');
      expect([reply.status, reply.body, reply.bodyProblem]).toEqual([304, undefined, undefined]);
    });

    test('a tab may stand after a length', async () => {
      const answer = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 7 \t\r\n\r\n{"a":1}';
      expect((await answered(answer)).body).toEqual({ a: 1 });
    });

    test('a tab may stand after a coding', async () => {
      const answer =
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\t\r\n\r\n7\r\n{"a":1}\r\n0\r\n\r\n';
      expect((await answered(answer)).body).toEqual({ a: 1 });
    });

    test('a slow body: headersAt at the headers, receivedAt at the last byte', async () => {
      const { transport } = await against(
        answering((socket) => {
          const answer = jsonAnswer({ a: 'slow' });
          const end = () => setTimeout(() => socket.write(answer.slice(-3)), 80);
          setTimeout(() => {
            socket.write(answer.slice(0, -3));
            // The client runs in the same event loop: after two turns it has read the first part.
            setImmediate(() => setImmediate(end));
          }, 30);
        }),
      );
      const reply = await transport.send(call());
      expect((reply.headersAt ?? 0) - reply.sentAt).toBeGreaterThanOrEqual(ms(28));
      expect(reply.receivedAt - (reply.headersAt ?? 0)).toBeGreaterThanOrEqual(ms(50));
    });

    test('slow headers: headersAt when they are complete, not at the status line', async () => {
      const { transport } = await against(
        answering((socket) => {
          const answer = jsonAnswer({ a: 1 });
          socket.write(answer.slice(0, 'HTTP/1.1 200 OK\r\n'.length));
          setTimeout(() => socket.write(answer.slice('HTTP/1.1 200 OK\r\n'.length)), 40);
        }),
      );
      const reply = await transport.send(call());
      expect((reply.headersAt ?? 0) - reply.sentAt).toBeGreaterThanOrEqual(ms(38));
    });

    test('no redirect is followed, nothing is retried', async () => {
      for (const [status, extra] of [
        ['302 Found', 'location: /elsewhere\r\n'],
        ['503 Service Unavailable', 'retry-after: 0\r\n'],
        ['429 Too Many Requests', 'retry-after: 0\r\n'],
      ] as const) {
        const { server, transport } = await against(answering(jsonAnswer({}, status, extra)));
        expect(await transport.send(call())).toMatchObject({ kind: 'answer', status: Number(status.slice(0, 3)) });
        expect(server.received().match(/POST /g)).toHaveLength(1);
      }
    });
  });
}
