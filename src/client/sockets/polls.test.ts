import { once } from 'node:events';
import { mkdtempSync, readFile, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Polls } from './polls.ts';

const folder = mkdtempSync(join(tmpdir(), 'spillway-polls-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Both ends of a local socket. Written bytes are in the other end's buffer when the call returns. */
let ends: { readonly near: Socket; readonly far: Socket; readonly server: Server };
beforeEach(async () => {
  const path = join(folder, 'socket');
  const server = createServer().listen(path);
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const near = connect(path);
  ends = { near, far: (await accepted)[0], server };
});
afterEach(async () => {
  ends.near.destroy();
  ends.far.destroy();
  await new Promise((closed) => ends.server.close(closed));
});

/** Every phase of the event loop in which a mark may be taken. */
const phases: Record<string, (then: () => void) => void> = {
  'a timer': (then) => setTimeout(then, 2),
  'an immediate': (then) => setImmediate(then),
  'an immediate of an immediate': (then) => setImmediate(() => setImmediate(then)),
  'a microtask of a timer': (then) => setTimeout(() => queueMicrotask(then), 2),
  'the end of a file operation': (then) => readFile(import.meta.filename, then),
};

describe.skipIf(process.platform === 'win32').each(Object.entries(phases))('a mark taken in %s', (_, phase) => {
  it('is over only when what a socket held by then has been read', async () => {
    const polls = new Polls();
    for (let round = 0; round < 20; round++) {
      let received = 0;
      ends.near.removeAllListeners('data').on('data', (bytes: Buffer) => {
        received += bytes.length;
      });
      await new Promise<void>(phase);
      ends.far.write('x');
      const mark = polls.mark();
      expect(polls.isOver(mark)).toBe(false);
      await new Promise<void>((rested) => polls.once(mark, { rested }));
      expect([received, polls.isOver(mark)]).toEqual([1, true]);
    }
  });
});

it('calls back as soon as the mark is over, in the order of the callers, also those of an earlier mark', async () => {
  const polls = new Polls();
  const order: string[] = [];
  const early = polls.mark();
  polls.once(early, { rested: () => order.push('first') });
  await new Promise<void>((next) => setImmediate(next));
  polls.once(early, { rested: () => order.push('second') });
  await new Promise<void>((next) => setImmediate(next));
  expect(order).toEqual(['first', 'second']);
});

it('calls back those who ask when the mark is long over, too, but not at once', async () => {
  const polls = new Polls();
  const mark = polls.mark();
  while (!polls.isOver(mark)) await new Promise<void>((next) => setImmediate(next));
  let isTold = false;
  polls.once(mark, { rested: () => (isTold = true) });
  expect(isTold).toBe(false);
  await new Promise<void>((next) => setImmediate(next));
  expect(isTold).toBe(true);
});

it('tells those who could go on now with those who can a turn later, and keeps them waiting for that once only', async () => {
  const polls = new Polls();
  const told: [string, number][] = [];
  let turn = 0;
  const nextTurn = () => new Promise<void>((next) => setImmediate(next)).then(() => turn++);
  const waits = (name: string) => polls.once(polls.mark(), { rested: () => told.push([name, turn]) });
  waits('alone');
  await nextTurn();
  await nextTurn();
  for (const name of ['first', 'second', 'third', 'fourth']) {
    waits(name);
    await nextTurn();
  }
  await nextTurn();
  await nextTurn();
  await nextTurn();
  const turns = Object.fromEntries(told);
  expect(turns.alone).toBe(1);
  expect(turns.first).toBe(turns.second);
  expect(turns.third).toBe(turns.fourth);
  expect((turns.third ?? 0) - (turns.first ?? 0)).toBe(2);
  expect(told.map(([name]) => name)).toEqual(['alone', 'first', 'second', 'third', 'fourth']);
});
