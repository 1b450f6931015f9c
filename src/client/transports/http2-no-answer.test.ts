import { constants, type ServerHttp2Stream } from 'node:http2';
import { describe, expect, it } from 'vitest';
import type { TransportOptions } from '../transport.ts';
import { call, ms } from './exam/setting.exam.ts';
import { type Answer, answerWith, http2Setting, json } from './http2-service.exam.ts';

const { against } = http2Setting();

const failureAgainst = async (answer: Answer, over: Partial<TransportOptions> = {}) => {
  const { transport } = await against(answer, over);
  const reply = await transport.send(call());
  return reply.kind === 'answer' ? reply.status : [reply.kind, reply.failure, reply.bytes.sent > 0];
};

describe('http2: no answer', () => {
  it('streams that are refused, reset, or end without one', async () => {
    const reset = (code: number) => (stream: ServerHttp2Stream) => stream.close(code);
    expect(await failureAgainst(reset(constants.NGHTTP2_REFUSED_STREAM))).toEqual(['failed', 'stream-refused', true]);
    expect(await failureAgainst(reset(constants.NGHTTP2_ENHANCE_YOUR_CALM))).toEqual(['failed', 'stream-reset', true]);
    expect(await failureAgainst(reset(constants.NGHTTP2_CANCEL))).toEqual(['failed', 'stream-reset', true]);
    expect(
      await failureAgainst((stream) => {
        stream.respond(json);
        stream.write('{"a":');
        setTimeout(() => stream.destroy(new Error('broken off')), 20);
      }),
    ).toEqual(['failed', 'stream-reset', true]);
    expect(
      await failureAgainst((stream) => {
        stream.respond({ ...json, 'content-length': '7' });
        stream.end('{}');
      }),
    ).toEqual(['failed', 'protocol', true]);
  });

  it('a stream that was refused leaves its connection as it was', async () => {
    const { transport } = await against((stream, _headers, nth) => {
      if (nth === 0) stream.close(constants.NGHTTP2_REFUSED_STREAM);
      else answerWith({})(stream);
    });
    expect(await transport.send(call())).toMatchObject({ failure: 'stream-refused', connection: 1 });
    expect(await transport.send(call())).toMatchObject({ kind: 'answer', connection: 1 });
  });

  it('connections that are reset, ended, or given up with an error', async () => {
    expect(await failureAgainst((_stream, _headers, _nth, socket) => socket.destroy())).toEqual([
      'failed',
      'closed-before-answer',
      true,
    ]);
    expect(
      await failureAgainst((stream, _headers, _nth, socket) => {
        stream.respond(json);
        stream.write('{"a":');
        setTimeout(() => socket.destroy(), 20);
      }),
    ).toEqual(['failed', 'closed-mid-answer', true]);
    expect(await failureAgainst(({ session }) => session?.goaway(constants.NGHTTP2_INTERNAL_ERROR))).toEqual([
      'failed',
      'going-away',
      true,
    ]);
  });

  it('headers above the limit', async () => {
    expect(
      await failureAgainst((stream) => {
        stream.respond({ ...json, 'x-long': 'x'.repeat(60_000) });
        stream.end('{}');
      }),
    ).toEqual(['failed', 'headers-too-large', true]);
  });

  it('headers above the limit after an answer within it, and trailers above it', async () => {
    const { transport } = await against((stream, _headers, nth) => {
      if (nth % 2 === 0) return answerWith({})(stream);
      const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`x-${index}`, 'x'.repeat(500)]));
      stream.respond(nth === 1 ? { ...json, ...many } : json, { waitForTrailers: nth === 3 });
      stream.on('wantTrailers', () => stream.sendTrailers(many));
      stream.end('{}');
    });
    const replies: unknown[] = [];
    for (let round = 0; round < 5; round++) replies.push(await transport.send(call()));
    const tooLarge = { kind: 'failed', failure: 'headers-too-large' };
    const answer = (connection: number) => ({ kind: 'answer', connection });
    expect(replies).toMatchObject([answer(1), tooLarge, answer(2), tooLarge, answer(3)]);
  });

  it('many small headers, within the limit on any answer', async () => {
    const many = Object.fromEntries(Array.from({ length: 800 }, (_, index) => [`x-${index}`, '']));
    const { transport } = await against((stream) => {
      stream.respond({ ...json, ...many });
      stream.end('{}');
    });
    for (let round = 0; round < 3; round++)
      expect(await transport.send(call())).toMatchObject({ kind: 'answer', connection: 1 });
  });

  it('within the deadline: censored, and the next call has another connection', async () => {
    const { transport } = await against((stream, _headers, nth) => {
      if (nth > 0) answerWith({})(stream);
    });
    const reply = await transport.send(call({ deadlineUs: ms(500) }));
    expect(reply).toMatchObject({ kind: 'censored', failure: 'deadline', connection: 1 });
    expect(reply.receivedAt - reply.sentAt).toBeGreaterThanOrEqual(ms(498));
    expect(await transport.send(call())).toMatchObject({ kind: 'answer', connection: 2 });
  });

  it('as the run stops', async () => {
    const stopping = new AbortController();
    const { transport } = await against(() => stopping.abort());
    expect(await transport.send(call(), stopping.signal)).toMatchObject({ kind: 'censored', failure: 'stopped' });
    const { transport: closing } = await against(() => void closing.close());
    expect(await closing.send(call())).toMatchObject({ kind: 'censored', failure: 'stopped' });
  });
});
