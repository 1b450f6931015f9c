import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type ApiCall, type ApiReply, sandboxProfile } from '../../api/index.ts';
import { type Micros, type Millis, realClock } from '../../base/index.ts';
import type { Lease, Transport, TransportOptions } from '../transport.ts';
import { answering, eachRequest, jsonAnswer, type RawServer, rawServer } from './raw-server.exam.ts';
import { selfSigned } from './self-signed.exam.ts';
import { testProxy } from './test-proxy.exam.ts';

export type OpenTransport = (options: TransportOptions) => Promise<Transport>;

/** What a transport cannot do, by the name of the exam's case; each with the reason. */
export type Exceptions = Readonly<Record<string, string>>;

const SECRET = 'hunter2-never-shown';
const TOKEN = 'opaque-token-never-shown';
const TEXT = 'a message text that stays at home';
const clock = realClock();
const ms = (value: number) => (value * 1_000) as Micros;

/** A sendMessage with everything in it that must not leak. */
export const call = (over: Partial<ApiCall> = {}): ApiCall => ({
  operation: 'sendMessage',
  credentials: { kind: 'bearer', token: TOKEN },
  parameters: { conversation_id: 'c 1/2' },
  body: { client_message_id: 'm1', message: TEXT },
  deadlineUs: ms(5_000),
  ...over,
});

/** Waits until so many connections were ended for what came unasked; what comes on them takes its time. */
async function unaskedOn(transport: Transport, wanted: number): Promise<number> {
  let unasked = 0;
  await expect.poll(() => (unasked += transport.takeUnasked())).toBe(wanted);
  return unasked;
}

/** Sends on a lease; what came of it. */
const sent = (lease: Lease | undefined, over: Partial<ApiCall> = {}) =>
  new Promise<ApiReply>((done, fail) =>
    lease ? lease.send(call(over), undefined, done) : fail(new Error('no lease')),
  );

/** The exam of every transport, over real sockets against servers as faulty as a case needs. */
export function transportExam(name: string, open: OpenTransport, exceptions: Exceptions = {}): void {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(closing.splice(0).map((close) => close()));
  });
  const kept = async <T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> => {
    const opened = await opening;
    closing.push(() => opened.close());
    return opened;
  };
  const to = (baseUrl: string, over: Partial<TransportOptions> = {}) =>
    kept(open({ baseUrl, profile: sandboxProfile(), connections: 4, clock, ...over }));
  const against = async (server: Promise<RawServer>, over: Partial<TransportOptions> = {}) => {
    const running = await kept(server);
    return { server: running, transport: await to(running.url, over) };
  };
  const test = (title: string, run: () => Promise<void>) => {
    // An exception must go on failing; when it no longer does, its line goes.
    if (title in exceptions) it.fails(`${title} (${exceptions[title]})`, run);
    else it(title, run);
  };

  describe(`${name}: what goes on the wire`, () => {
    test('method, prefix, encoded path, query and headers', async () => {
      const server = await kept(answering(jsonAnswer({})));
      const transport = await to(`${server.url}/prefix/`);
      const { body: _, ...bodiless } = call({ operation: 'readHistory', query: { limit: 3, offset: 0 } });
      await transport.send(bodiless);
      const [line, ...headers] = server.received().trimEnd().split('\r\n');
      expect(line).toBe('GET /prefix/api/partners/v1/conversations/c%201%2F2/messages?limit=3&offset=0 HTTP/1.1');
      const names = headers.map((header) => header.split(':')[0]?.toLowerCase()).sort();
      expect(names).toEqual(['accept', 'authorization', 'connection', 'host', 'user-agent']);
      expect(headers).toContain(`authorization: Bearer ${TOKEN}`);
      expect(headers).toContain('accept: application/json');
      expect(headers.find((header) => header.startsWith('user-agent'))).toMatch(/^user-agent: spillway\/\d+\.\d+\.\d+/);
      expect(headers).toContain(`host: 127.0.0.1:${server.port}`);
    });

    test('a JSON body with its length in bytes, Basic credentials in UTF-8', async () => {
      const { server, transport } = await against(answering(jsonAnswer({}, '201 Created')));
      const body = { external_user_id: 'zoé' };
      await transport.send(
        call({
          operation: 'issueToken',
          parameters: {},
          body,
          credentials: { kind: 'basic', clientId: 'id', clientSecret: 'sécret' },
        }),
      );
      const wire = server.received();
      expect(wire).toContain('POST /api/partners/v1/tokens HTTP/1.1');
      expect(wire).toContain('content-type: application/json');
      expect(wire).toContain(`content-length: ${Buffer.byteLength(JSON.stringify(body))}`);
      expect(wire).toContain(`authorization: Basic ${Buffer.from('id:sécret').toString('base64')}`);
      expect(Buffer.from(wire.slice(wire.indexOf('\r\n\r\n') + 4), 'latin1').toString('utf8')).toBe(
        JSON.stringify(body),
      );
    });

    test('sends JSON that the caller has written as it is', async () => {
      const { server, transport } = await against(answering(jsonAnswer({}, '201 Created')));
      const body = { client_message_id: 'x', message: 'Grüße, "Welt"' };
      const bodyText = '{"client_message_id":"x", "message":"Grüße, \\"Welt\\""}';
      await transport.send(call({ operation: 'sendMessage', parameters: { conversation_id: 'c' }, body, bodyText }));
      const wire = server.received();
      expect(wire).toContain(`content-length: ${Buffer.byteLength(bodyText)}`);
      expect(Buffer.from(wire.slice(wire.indexOf('\r\n\r\n') + 4), 'latin1').toString('utf8')).toBe(bodyText);
    });

    test('no Authorization header without credentials', async () => {
      const { server, transport } = await against(answering(jsonAnswer({}, '401 Unauthorized')));
      const reply = await transport.send(call({ credentials: { kind: 'none' } }));
      expect(reply).toMatchObject({ kind: 'answer', status: 401 });
      expect(server.received().toLowerCase()).not.toContain('authorization');
    });

    test('bytes are those of the socket', async () => {
      const answer = jsonAnswer({ text: 'é' });
      const { server, transport } = await against(answering(answer.replaceAll('é', 'Ã©')));
      const first = await transport.send(call());
      const second = await transport.send(call());
      const wire = Buffer.byteLength(answer);
      expect([first.bytes, second.bytes]).toEqual([
        { sent: server.received().length / 2, received: wire },
        { sent: server.received().length / 2, received: wire },
      ]);
    });
  });

  describe(`${name}: answers`, () => {
    const answered = async (answer: string): Promise<Extract<ApiReply, { kind: 'answer' }>> => {
      const { transport } = await against(answering(answer));
      const reply = await transport.send(call());
      if (reply.kind !== 'answer') throw new Error(`${reply.kind} ${reply.failure}`);
      return reply;
    };

    test('status, headers in lower case and repeated ones joined, parsed body', async () => {
      const reply = await answered(
        jsonAnswer({ turn_id: 't' }, '202 Accepted', 'X-One: a\r\nx-one: b\r\n__proto__: c\r\n'),
      );
      expect(reply.status).toBe(202);
      expect(reply.body).toEqual({ turn_id: 't' });
      expect(reply.headers['x-one']).toBe('a, b');
      expect(Object.entries(reply.headers)).toContainEqual(['__proto__', 'c']);
      expect('bodyProblem' in reply).toBe(false);
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

    test('no body: neither a body nor a problem', async () => {
      const reply = await answered('HTTP/1.1 204 No Content\r\n\r\n');
      expect([reply.status, 'body' in reply, 'bodyProblem' in reply]).toEqual([204, false, false]);
    });

    test('a body up to the end of the connection', async () => {
      const { transport } = await against(
        answering((socket) =>
          socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{"a":1}'),
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
        expect([reply.status, reply.bodyProblem, 'body' in reply]).toEqual([200, problem, false]);
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

    test('a slow body: headersAt at the headers, receivedAt at the last byte', async () => {
      const { transport } = await against(
        answering((socket) => {
          const answer = jsonAnswer({ a: 'slow' });
          const end = () => setTimeout(() => socket.write(answer.slice(-3)), 80);
          setTimeout(() => {
            socket.write(answer.slice(0, -3));
            // The client lives in this loop too: it has read the first part before the time of the second one begins.
            setImmediate(() => setImmediate(end));
          }, 30);
        }),
      );
      const reply = await transport.send(call());
      expect((reply.headersAt ?? 0) - reply.sentAt).toBeGreaterThanOrEqual(ms(28));
      expect(reply.receivedAt - (reply.headersAt ?? 0)).toBeGreaterThanOrEqual(ms(50));
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

  describe(`${name}: faults`, () => {
    const faults: Record<
      string,
      { server: () => Promise<RawServer>; failure: string; over?: Partial<TransportOptions> }
    > = {
      'garbage instead of an answer': { server: () => answering('SSH-2.0-OpenSSH_9.6\r\n'), failure: 'protocol' },
      'a protocol switch that nobody asked for': {
        server: () => answering('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
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
      // What the system's own buffers hold, and no more.
      expect(taken).toBeLessThan(20_000_000);
    });

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
    });

    const twice: Record<string, (socket: Socket, one: string, other: string) => void> = {
      'in one segment': (socket, one, other) => socket.write(one + other),
      'in two segments at once': (socket, one, other) => {
        socket.write(one);
        socket.write(other);
      },
      'two turns apart': (socket, one, other) => {
        socket.write(one);
        // The client lives in this loop too: it has read the one, and the server not yet what the client sends then.
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
      expect([transport.takeUnasked(), polite.takeUnasked()]).toEqual([0, 0]);
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
          // The answer too many travels as the next request does: it is there when that one's answer is awaited.
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
    });

    test('an answer before the whole request was sent: it stands, and the connection carries no other request', async () => {
      const { transport } = await against(
        rawServer((socket, index) => {
          socket.once('data', () => {
            // What it does not take is left in the sender's hands.
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

    test('a server that takes so many connections and no more: the calls on those go on', async () => {
      let open = 0;
      const { transport } = await against(
        rawServer((socket) => {
          if (++open > 3) return socket.resetAndDestroy();
          eachRequest(socket, () => socket.write(jsonAnswer({})));
        }),
        { connections: 6 },
      );
      await transport.warmUp();
      await expect.poll(() => open).toBe(6);
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

    test('no answer: censored at the deadline, never before, and a late answer meets nobody', async () => {
      const { server, transport } = await against(
        rawServer((socket, index) =>
          socket.once('data', () => setTimeout(() => socket.write(jsonAnswer({ index })), index === 0 ? 150 : 0)),
        ),
        { connections: 1 },
      );
      const late = await transport.send(call({ deadlineUs: ms(60) }));
      expect(late).toMatchObject({ kind: 'censored', failure: 'deadline' });
      expect(late.receivedAt - late.sentAt).toBeGreaterThanOrEqual(ms(60));
      expect('headersAt' in late).toBe(false);
      const next = await transport.send(call());
      expect(next).toMatchObject({ kind: 'answer', body: { index: 1 } });
      expect(server.sockets[0]?.destroyed || server.sockets[0]?.readableEnded).toBe(true);
    });

    test('a body that never ends: censored at the deadline, with headersAt', async () => {
      const { transport } = await against(answering((socket) => socket.write(jsonAnswer({ a: 1 }).slice(0, -1))));
      const reply = await transport.send(call({ deadlineUs: ms(80) }));
      expect(reply).toMatchObject({ kind: 'censored', failure: 'deadline' });
      expect(reply.headersAt).toBeLessThan(reply.receivedAt);
    });

    test('a refused connection: failed, nothing sent', async () => {
      const server = await rawServer(() => undefined);
      await server.close();
      const transport = await to(server.url);
      expect(await transport.warmUp(2)).toEqual({ opened: 0, failures: ['ECONNREFUSED', 'ECONNREFUSED'] });
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

    test("a missing path parameter is the caller's defect and gives the connection back", async () => {
      const { transport } = await against(answering(jsonAnswer({})), { connections: 1 });
      await expect(transport.send(call({ parameters: {} }))).rejects.toThrow('conversation_id');
      expect(await transport.send(call())).toMatchObject({ kind: 'answer' });
    });
  });

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
      const replies = await Promise.all(Array.from({ length: 30 }, () => transport.send(call())));
      expect(replies.map((reply) => reply.kind)).toEqual(Array.from({ length: 30 }, () => 'answer'));
      expect([server.sockets.length, server.mostOpen()]).toEqual([3, 3]);
      expect(new Set(replies.map((reply) => reply.connection)).size).toBe(3);
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

    test("closing ends everything, also by the transport's own signal", async () => {
      const stopping = new AbortController();
      const { server, transport } = await against(
        answering(() => undefined),
        { connections: 2, signal: stopping.signal },
      );
      await transport.warmUp();
      const flying = transport.send(call());
      await expect.poll(() => server.received()).toContain('POST');
      stopping.abort();
      expect(await flying).toMatchObject({ kind: 'censored', failure: 'stopped' });
      expect(await transport.acquire()).toBeUndefined();
      expect(await transport.send(call())).toMatchObject({ kind: 'censored', failure: 'stopped' });
      await expect.poll(() => server.sockets.every((socket) => socket.destroyed)).toBe(true);
    });
  });

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

    test('a handshake that never ends: failed after the deadline for opening, or stopped at once', async () => {
      const profile = sandboxProfile();
      const server = await kept(rawServer(() => undefined));
      const address = `https://127.0.0.1:${server.port}`;
      const hasty = await to(address, {
        profile: { ...profile, client: { ...profile.client, deadline: 80 as Millis } },
      });
      expect(await hasty.warmUp(1)).toEqual({ opened: 0, failures: ['connect-timeout'] });
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

    test('a CA that is none is said before anything is opened', async () => {
      await expect(
        open({ baseUrl: 'https://127.0.0.1:1', profile: sandboxProfile(), connections: 1, clock, ca: `${SECRET}` }),
      ).rejects.toMatchObject({ code: 'CA_INVALID' });
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

    test("https through a proxy's tunnel; the proxy sees no token", async () => {
      const server = await kept(answering(jsonAnswer({ a: 1 }), { tls }));
      const proxy = await kept(testProxy());
      const transport = await to(server.url, { proxy: proxy.url, ca: tls.cert });
      expect(await transport.send(call())).toMatchObject({ kind: 'answer', body: { a: 1 } });
      expect(proxy.seen).toEqual([{ what: `CONNECT 127.0.0.1:${server.port}`, authorization: undefined }]);
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
