import { describe, expect, it } from 'vitest';
import { type Micros, onAbort, VirtualClock } from '../../base/index.ts';
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
  it('opens those that are missing, so that asked again it opens no more', async () => {
    let opened = 0;
    const pool = new ConnectionPool<Pooled>(new VirtualClock(), 9, async () => {
      opened += 1;
      return { connection: connection() };
    });
    const after = [];
    for (const count of [3, 3, 5, 20]) {
      await pool.warmUp(count);
      after.push(opened);
    }
    expect(after).toEqual([3, 3, 5, 9]);
  });

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

describe('a connection that is lent at once', () => {
  it('counts among those that are lent, until it is given back', async () => {
    let opened = 0;
    const pool = new ConnectionPool<Pooled>(new VirtualClock(), 1, async () => {
      opened++;
      return { connection: connection() };
    });
    await pool.warmUp(1);
    const lent = pool.tryAcquire();
    expect([lent?.usable, pool.tryAcquire()]).toEqual([true, undefined]);
    const waiting = pool.acquire();
    await new Promise(setImmediate);
    expect(opened).toBe(1);
    pool.release(lent);
    // It goes to the one who waited.
    expect(pool.tryAcquire()).toBeUndefined();
    expect(await waiting).toEqual({ connection: lent });
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

describe('a connection that has idled for longer than half a second', () => {
  it.each([
    [500_000, 0],
    [500_001, 1],
  ])(
    'is looked at before it is lent: after %i µs a close that is only then read leaves number %i',
    async (idleUs, lentNumber) => {
      const clock = new VirtualClock();
      const opened: { usable: boolean; close: () => void }[] = [];
      const pool = new ConnectionPool<Pooled>(clock, 1, async () => {
        const made = { usable: true, close: () => undefined };
        opened.push(made);
        return { connection: made };
      });
      const first = await pool.acquire();
      pool.release(first && 'connection' in first ? first.connection : undefined);
      // The loop has looked at its socket since: it no longer rests, it idles.
      for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate);
      clock.set(idleUs as Micros);
      setImmediate(() => {
        for (const one of opened.slice(0, 1)) one.usable = false;
      });
      const lent = await pool.acquire();
      expect(lent).toEqual({ connection: opened[lentNumber] });
      expect(opened.length).toBe(lentNumber + 1);
    },
  );
});
