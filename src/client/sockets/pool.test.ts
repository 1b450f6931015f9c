import { describe, expect, it } from 'vitest';
import { onAbort, VirtualClock } from '../../base/index.ts';
import type { Pooled } from './idle-connections.ts';
import { ConnectionPool, type Opened } from './pool.ts';

const connection = (): Pooled => ({ usable: true, close: () => undefined });
const called = (signal: AbortSignal | undefined) =>
  new Promise<Opened<Pooled>>((settle) => onAbort(signal, () => settle({ failure: 'stopped' })));

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
