import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { sandboxProfile } from '../../../api/index.ts';
import { answering, jsonAnswer } from '../raw-server.exam.ts';
import { call, type Setting } from './setting.exam.ts';

/** Compressed bodies, whether requested or not. */
export function codingsExam(name: string, { test, against }: Setting): void {
  const coded = (coding: string, bytes: Buffer) =>
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: ${coding}\r\ncontent-length: ${bytes.length}\r\n\r\n${bytes.toString('latin1')}`;
  const json = Buffer.from('{"a":"grüße"}');

  describe(`${name}: codings`, () => {
    for (const [coding, bytes] of [
      ['gzip', gzipSync(json)],
      ['X-Gzip', gzipSync(json)],
      ['deflate', deflateSync(json)],
      ['deflate', deflateRawSync(json)],
      ['br', brotliCompressSync(json)],
      ['br, gzip', gzipSync(brotliCompressSync(json))],
      ['identity', json],
    ] as const) {
      test(`${coding} (${bytes.length} bytes) is undone, and the connection goes on`, async () => {
        const { transport } = await against(answering(coded(coding, bytes)), { connections: 1 });
        for (let round = 0; round < 2; round++)
          expect(await transport.send(call())).toMatchObject({
            kind: 'answer',
            body: { a: 'grüße' },
            connection: 1,
            bytes: { received: coded(coding, bytes).length },
          });
      });
    }

    for (const [what, coding, bytes] of [
      ['a coding that nobody knows', 'compress', json],
      ['bytes that are not of their coding', 'gzip', json],
      ['a body that breaks off', 'gzip', gzipSync(json).subarray(0, -9)],
      ['four codings', 'gzip, gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(gzipSync(json))))],
    ] as const) {
      test(`${what}: an answer without a usable body`, async () => {
        const { transport } = await against(answering(coded(coding, bytes)), { connections: 1 });
        for (let round = 0; round < 2; round++) {
          const reply = await transport.send(call());
          expect(reply).toMatchObject({ kind: 'answer', status: 200, bodyProblem: 'content-coding', connection: 1 });
          expect(reply).not.toHaveProperty('body', expect.anything());
        }
      });
    }

    test('more than an answer may have is not unpacked', async () => {
      const bomb = gzipSync(Buffer.alloc(3_000_000, ' '));
      const { transport } = await against(answering(coded('gzip', bomb)), { maxAnswerBytes: 1_000_000 });
      expect(bomb.length).toBeLessThan(10_000);
      expect(await transport.send(call())).toMatchObject({ kind: 'failed', failure: 'answer-too-large' });
    });

    test('of what a stream is refused with are undone too', async () => {
      const body = gzipSync('{"error":"slow_down"}');
      const refusal = coded('gzip', body).replace('200 OK', '429 Too Many Requests');
      const stream = call({ operation: 'openStream', parameters: { turn_id: 't' }, body: undefined });
      const ignored = { onEvent: () => undefined };
      const { transport } = await against(answering(refusal));
      const { reply } = await transport.openStream(stream, ignored);
      expect(reply).toMatchObject({ kind: 'answer', status: 429, body: { error: 'slow_down' } });
      const bomb = coded('gzip', gzipSync(Buffer.alloc(3_000_000, ' '))).replace('200 OK', '403 Forbidden');
      const { transport: narrow } = await against(answering(bomb), { maxAnswerBytes: 1_000_000 });
      const { reply: large } = await narrow.openStream(stream, ignored);
      expect(large).toMatchObject({ kind: 'failed', failure: 'answer-too-large' });
    });

    test('are asked for where the profile says so', async () => {
      const profile = sandboxProfile();
      const compressing = { profile: { ...profile, client: { ...profile.client, compression: true } } };
      const { server, transport } = await against(answering(jsonAnswer({})), compressing);
      await transport.send(call());
      expect(server.received()).toContain('accept-encoding: gzip, deflate, br\r\n');
    });
  });
}
