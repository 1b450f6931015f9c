import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { rateAlgorithmNames } from '../../api/index.ts';
import { conversation_id, root, startWithUser } from './http-client.exam.ts';

/** Opens this many connections, then sends on all of them at once. */
async function allAtOnce(port: number, requests: readonly string[]): Promise<readonly string[]> {
  const sockets = await Promise.all(
    requests.map(async () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      await once(socket, 'connect');
      return socket;
    }),
  );
  const answers = sockets.map(answerOf);
  for (const [index, socket] of sockets.entries()) socket.write(requests[index] ?? '');
  const heard = await Promise.all(answers);
  for (const socket of sockets) socket.destroy();
  return heard;
}

/** The status, or the code of a refusal. */
function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.setEncoding('utf8').on('error', reject);
    socket.on('close', () => reject(new Error('closed without an answer')));
    socket.on('data', (more: string) => {
      text += more;
      if (!/\r\n\r\n\{.*\}$/s.test(text)) return;
      resolve(/"code":"(\w+)"/.exec(text)?.[1] ?? text.slice(9, 12));
    });
  });
}

const request = (method: string, path: string, token: string, json?: object) => {
  const body = json === undefined ? '' : JSON.stringify(json);
  const content = json === undefined ? '' : `content-type: application/json\r\ncontent-length: ${body.length}\r\n`;
  return `${method} ${root}${path} HTTP/1.1\r\nhost: sandbox\r\nauthorization: Bearer ${token}\r\n${content}\r\n${body}`;
};
const tally = (answers: readonly string[]) => {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
};
/** Long windows, so that none ends during the test. */
const window = '20h';
const startTime = '2026-11-21T00:30:00Z';

describe('500 connections that ask at once', () => {
  it.each(rateAlgorithmNames.filter((name) => name !== 'leaky-queue'))(
    'are admitted exactly N times by %s',
    async (algorithm) => {
      const {
        sandbox,
        token,
        request: ask,
      } = await startWithUser({
        startTime,
        limits: { rate: { max: 137, window, algorithm, operations: ['readHistory'] } },
      });
      await ask('POST', `${root}/conversations`, { conversation_id });
      const requests = Array.from({ length: 500 }, () =>
        request('GET', `/conversations/${conversation_id}/messages`, token),
      );
      expect(tally(await allAtOnce(sandbox.port, requests))).toEqual({ '200': 137, rate_limited: 363 });
    },
  );

  it('and send messages take exactly the slots, a replay none, and each turn once', async () => {
    const {
      sandbox,
      token,
      request: ask,
    } = await startWithUser({
      startTime,
      control: true,
      limits: { rate: { max: 450, window }, daily: 60, concurrency: 40 },
      latency: { queued: { distribution: 'constant', value: '1h' } },
    });
    await ask('POST', `${root}/conversations`, { conversation_id });
    // Every message twice: 250 different ones.
    const requests = Array.from({ length: 500 }, (_, index) =>
      request('POST', `/conversations/${conversation_id}/messages`, token, {
        client_message_id: `m${index % 250}`,
        message: 'text',
      }),
    );
    const answers = tally(await allAtOnce(sandbox.port, requests));
    const { turns, limits } = (await ask('GET', '/_sandbox/truth')).body;
    expect(turns).toHaveLength(40);
    expect(new Set(turns.map(({ clientMessageId }: { clientMessageId: string }) => clientMessageId)).size).toBe(40);
    const replays = turns.reduce((sum: number, turn: { replays: number }) => sum + turn.replays, 0);
    // Creating the conversation used one request of the rate.
    expect(answers).toEqual({ '202': 40 + replays, concurrency_limited: 449 - 40 - replays, rate_limited: 51 });
    expect(limits.daily).toEqual({ admitted: 40, refused: 0 });
    expect(limits.concurrency).toEqual({ admitted: 40, refused: 449 - 40 - replays });
  });

  it('wait their turn in a queue, spaced evenly, and only what fits into it', async () => {
    const {
      sandbox,
      token,
      request: ask,
    } = await startWithUser({
      startTime,
      clockRate: 100,
      limits: {
        rate: { max: 1_000, window: '100s', burst: 30, algorithm: 'leaky-queue', operations: ['readHistory'] },
      },
    });
    await ask('POST', `${root}/conversations`, { conversation_id });
    const began = process.hrtime.bigint();
    const requests = Array.from({ length: 500 }, () =>
      request('GET', `/conversations/${conversation_id}/messages`, token),
    );
    const counts = tally(await allAtOnce(sandbox.port, requests));
    const admitted = counts['200'] ?? 0;
    const lasted = Number(process.hrtime.bigint() - began) / 1_000_000;
    // A place becomes free each millisecond of real time; the last request waits 29 ms.
    expect(admitted).toBeGreaterThanOrEqual(30);
    expect(admitted).toBeLessThanOrEqual(30 + lasted);
    expect(admitted + (counts.rate_limited ?? 0)).toBe(500);
    expect(lasted).toBeGreaterThanOrEqual(29);
  });
});
