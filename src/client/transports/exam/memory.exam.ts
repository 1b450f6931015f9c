import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect } from 'vitest';
import { answering } from '../raw-server.exam.ts';
import { call, ms, type Setting } from './setting.exam.ts';

/** A buffer for each takes some 160 bytes, and keeps the memory of everything that was read with it. */
const TINY = '1\r\n1\r\n'.repeat(100_000);
/** Such buffers take 12 MB or more; the content is 100 kB, and the rest of the process changes by some MB at most. */
export const MOST_KEPT_BYTES = 6_000_000;

/** An answer whose body comes in tiny chunks and does not end. */
export const inTinyChunks = (status: string): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${TINY}`;

/**
 * Bytes that this process keeps more than before, once its clients have read such an answer.
 * @param ask sends a request that is answered so
 */
export async function keptOfTinyChunks(ask: () => Promise<unknown>): Promise<number> {
  const opened: Socket[] = [];
  const note = (message: unknown) => opened.push((message as { socket: Socket }).socket);
  subscribe('net.client.socket', note);
  const before = keptBytes();
  const answered = ask();
  await expect
    .poll(() => Math.max(0, ...opened.map(({ bytesRead }) => bytesRead)), { timeout: 20_000 })
    .toBeGreaterThan(TINY.length);
  const kept = keptBytes() - before;
  unsubscribe('net.client.socket', note);
  for (const socket of opened) socket.destroy();
  await answered;
  return kept;
}

function keptBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  setFlagsFromString('--no-expose-gc');
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** What an answer that is not over yet takes. */
export function memoryExam(name: string, { test, to, kept }: Setting): void {
  describe(`${name}: memory`, () => {
    test('a body in tiny chunks takes no more than its content', async () => {
      const server = await kept(answering(inTinyChunks('200 OK')));
      const transport = await to(server.url);
      expect(await keptOfTinyChunks(() => transport.send(call({ deadlineUs: ms(30_000) })))).toBeLessThan(
        MOST_KEPT_BYTES,
      );
    });
  });
}
