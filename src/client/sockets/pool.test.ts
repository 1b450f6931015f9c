import { describe, expect, it } from 'vitest';
import { onAbort, VirtualClock } from '../../base/index.ts';
import type { Pooled } from './idle-connections.ts';
import { ConnectionPool, type Opened } from './pool.ts';

const connection = (): Pooled => ({ usable: true, close: () => undefined });
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
