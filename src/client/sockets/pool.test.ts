import { describe, expect, it } from 'vitest';
import { onAbort, VirtualClock } from '../../base/index.ts';
import type { Pooled } from './idle-connections.ts';
import { ConnectionPool, type Opened } from './pool.ts';

const connection = (): Pooled => ({ usable: true, close: () => undefined });

/** A pool of one whose connections open when the test says so. @returns also those that were closed, by their numbers */
function poolOfOne() {
  const openings: (() => void)[] = [];
  const closed: number[] = [];
  const pool = new ConnectionPool<Pooled>(
    new VirtualClock(),
    1,
    () =>
      new Promise((opened) => {
        const number = openings.length;
        const close = () => void closed.push(number);
        openings.push(() => opened({ connection: { usable: true, close } }));
      }),
  );
  return { pool, openings, closed };
}
const called = (signal: AbortSignal | undefined) =>
  new Promise<Opened<Pooled>>((settle) => onAbort(signal, () => settle({ failure: 'stopped' })));

describe('a caller who gives up while its connection is opened', () => {
  it('leaves the place to the next one', async () => {
    const answers = [undefined, { connection: connection() }];
    const pool = new ConnectionPool<Pooled>(new VirtualClock(), 1, async (signal) => answers.shift() ?? called(signal));
    const [first, second] = [new AbortController(), new AbortController()];
    const lent = pool.acquire(first.signal);
    await new Promise(setImmediate);
    first.abort();
    expect(await lent).toBeUndefined();
    const next = pool.acquire(second.signal);
    await new Promise(setImmediate);
    second.abort();
    expect(await next).toEqual({ connection: expect.objectContaining({ usable: true }) });
  });
});

describe('opening connections before the first request', () => {
  it('is cancelled for connections that do not open, and keeps those that did', async () => {
    const answers = [{ connection: connection() }, undefined, { connection: connection() }, undefined];
    let asked = 0;
    const pool = new ConnectionPool<Pooled>(
      new VirtualClock(),
      4,
      async (signal) => answers[asked++] ?? called(signal),
    );
    const late = new AbortController();
    const warming = pool.warmUp(4, late.signal);
    late.abort();
    expect((await warming).map((opened) => ('failure' in opened ? opened.failure : 'open'))).toEqual([
      'open',
      'open',
      'stopped',
      'stopped',
    ]);
    const lent = [pool.tryAcquire(), pool.tryAcquire(), pool.tryAcquire()];
    expect(new Set(lent)).toEqual(new Set([answers[0]?.connection, answers[2]?.connection, undefined]));
    expect(asked).toBe(4);
  });
});

describe('a connection that opens late', () => {
  it('is closed if a caller has opened the last one meanwhile', async () => {
    const { pool, openings, closed } = poolOfOne();
    const warming = pool.warmUp(1);
    const lent = pool.acquire();
    await new Promise(setImmediate);
    for (const open of openings) open();
    await Promise.all([warming, lent]);
    expect([openings.length, closed]).toEqual([2, [0]]);
  });

  it('is closed if the pool was closed meanwhile, and lent to nobody', async () => {
    const { pool, openings, closed } = poolOfOne();
    const lent = pool.acquire();
    const waiting = pool.acquire();
    await new Promise(setImmediate);
    pool.close();
    openings[0]?.();
    expect([await lent, await waiting, openings.length, closed]).toEqual([undefined, undefined, 1, [0]]);
  });
});
