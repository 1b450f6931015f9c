import type { IncomingHttpHeaders } from 'node:http2';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { sandboxProfile } from '../../api/index.ts';
import type { Clock } from '../../base/index.ts';
import { call, clock, ms, TEXT, TOKEN } from './exam/setting.exam.ts';
import { answerWith, http2Setting, json } from './http2-service.exam.ts';

const { against } = http2Setting();

describe('http2: requests', () => {
  it('have the same content as over HTTP/1.1', async () => {
    const seen: [IncomingHttpHeaders, string][] = [];
    const { transport } = await against((stream, headers) => {
      let body = '';
      stream.on('data', (chunk) => (body += chunk));
      stream.on('end', () => {
        seen.push([headers, body]);
        answerWith({})(stream);
      });
    });
    const reply = await transport.send(call());
    await transport.send(
      call({ operation: 'readTurn', parameters: { turn_id: 't/1' }, query: { a: 1 }, body: undefined }),
    );
    expect(seen[0]).toMatchObject([
      {
        ':method': 'POST',
        ':path': '/api/partners/v1/conversations/c%201%2F2/messages',
        ':scheme': 'http',
        authorization: `Bearer ${TOKEN}`,
        accept: 'application/json',
        'content-type': 'application/json',
        'content-length': `${JSON.stringify({ client_message_id: 'm1', message: TEXT }).length}`,
      },
      JSON.stringify({ client_message_id: 'm1', message: TEXT }),
    ]);
    expect(seen[0]?.[0]).not.toHaveProperty('accept-encoding');
    expect(seen[1]).toMatchObject([{ ':method': 'GET', ':path': '/api/partners/v1/turns/t%2F1?a=1' }, '']);
    expect(seen[1]?.[0]).not.toHaveProperty('content-length');
    expect(reply.bytes.sent).toBeGreaterThan(JSON.stringify({ client_message_id: 'm1', message: TEXT }).length);
    expect(reply.bytes.received).toBeGreaterThan(2);
  });

  it('of a token that no header can hold is not sent, and the connection goes on', async () => {
    const { transport } = await against(answerWith({ a: 1 }));
    const reply = await transport.send(call({ credentials: { kind: 'bearer', token: 'a\nb' } }));
    expect(reply).toMatchObject({ kind: 'failed', failure: 'invalid-request' });
    expect(await transport.send(call())).toMatchObject({ kind: 'answer', body: { a: 1 } });
  });

  it('share a connection one after the other, and wait for it before they are sent', async () => {
    let [open, most] = [0, 0];
    const { transport, service: served } = await against((stream) => {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open--;
        answerWith({})(stream);
      }, 20);
    });
    const replies = await Promise.all(Array.from({ length: 4 }, () => transport.send(call())));
    expect(replies.map(({ kind, connection }) => [kind, connection])).toEqual(Array(4).fill(['answer', 1]));
    expect([most, served.sessions.length]).toEqual([1, 1]);
    for (const [index, { sentAt }] of replies.slice(1).entries())
      expect(sentAt).toBeGreaterThanOrEqual(replies[index]?.receivedAt ?? Number.POSITIVE_INFINITY);
  });

  it('are announced in the turn in which they are stamped', async () => {
    let turn = 0;
    let stampedIn: number | undefined;
    const marked: Clock = {
      now: () => {
        stampedIn = turn;
        setImmediate(() => turn++);
        return clock.now();
      },
      sleepUntil: (at, signal) => clock.sleepUntil(at, signal),
    };
    const { transport } = await against(answerWith({}), { clock: marked });
    const announced: (readonly [number, number | undefined])[] = [];
    await transport.send(call({ onSending: () => announced.push([turn, stampedIn]) }));
    expect(announced).toHaveLength(1);
    expect(announced[0]?.[0]).toBe(announced[0]?.[1]);
  });
});

describe('http2: answers', () => {
  it('status, joined headers, body; times at the headers and at the last byte', async () => {
    const { transport } = await against((stream) => {
      stream.additionalHeaders({ ':status': 103, link: '</a>' });
      stream.respond({ ...json, ':status': 202, 'x-one': ['a', 'b'] });
      stream.write('{"turn_id":');
      // The client runs in the same event loop: after two turns it has read the first part.
      setImmediate(() => setImmediate(() => setTimeout(() => stream.end('"t"}'), 40)));
    });
    const reply = await transport.send(call());
    expect(reply).toMatchObject({ kind: 'answer', status: 202, body: { turn_id: 't' }, headers: { 'x-one': 'a, b' } });
    expect(reply.kind === 'answer' && Object.keys(reply.headers).filter((name) => /^(:|link)/.test(name))).toEqual([]);
    expect(reply.receivedAt - (reply.headersAt ?? 0)).toBeGreaterThanOrEqual(ms(30));
  });

  it('an error, nothing at all, and what is not JSON', async () => {
    const { transport } = await against((stream, _, nth) => {
      if (nth === 0) stream.respond({ ':status': 204 }, { endStream: true });
      else stream.respond({ ':status': 500, 'content-type': 'text/html' }, { endStream: false });
      if (nth > 0) stream.end('<p>');
    });
    expect(await transport.send(call())).toMatchObject({ kind: 'answer', status: 204 });
    expect(await transport.send(call())).toMatchObject({ status: 500, bodyProblem: 'wrong-content-type' });
  });

  it('a large one arrives complete, one above the limit fails and closes its connection', async () => {
    const text = 'x'.repeat(3_000_000);
    const { transport } = await against(answerWith({ text }), { maxAnswerBytes: 4_000_000 });
    expect(await transport.send(call())).toMatchObject({ kind: 'answer', body: { text } });
    const { transport: narrow, service: served } = await against(
      (stream, _headers, nth) => answerWith(nth === 0 ? { text } : {})(stream),
      { maxAnswerBytes: 1_000_000 },
    );
    expect(await narrow.send(call())).toMatchObject({ kind: 'failed', failure: 'answer-too-large' });
    expect(await narrow.send(call())).toMatchObject({ kind: 'answer', connection: 2 });
    expect(served.sessions).toHaveLength(2);
  });

  it('compressed, if requested', async () => {
    const asked: unknown[] = [];
    const profile = sandboxProfile();
    const { transport } = await against(
      (stream, headers) => {
        asked.push(headers['accept-encoding']);
        stream.respond({ ...json, 'content-encoding': 'gzip' });
        stream.end(gzipSync('{"a":1}'));
      },
      { profile: { ...profile, client: { ...profile.client, compression: true } } },
    );
    expect(await transport.send(call())).toMatchObject({ kind: 'answer', body: { a: 1 } });
    expect(asked).toEqual(['gzip, deflate, br']);
  });
});
