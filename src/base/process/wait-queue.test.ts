import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onAbort } from './on-abort.ts';
import { WaitQueue } from './wait-queue.ts';

describe('who waits', () => {
  it('is served once, in order of arrival; waiters that gave up are skipped', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom('wait', 'grant', 'give up'), { maxLength: 80 }), async (steps) => {
        const queue = new WaitQueue();
        const told: (readonly [number, boolean])[] = [];
        const waiting: { readonly id: number; readonly stop: AbortController }[] = [];
        const expected: (readonly [number, boolean])[] = [];
        let id = 0;
        for (const step of steps) {
          if (step === 'wait') {
            const one = { id: id++, stop: new AbortController() };
            waiting.push(one);
            void queue.wait(one.stop.signal).then((granted) => told.push([one.id, granted]));
          } else if (step === 'grant') {
            const first = waiting.shift();
            expect(queue.grant()).toBe(first !== undefined);
            if (first) expected.push([first.id, true]);
          } else {
            const [gone] = waiting.splice(Math.floor(waiting.length / 2), 1);
            gone?.stop.abort();
            if (gone) expected.push([gone.id, false]);
          }
          expect(queue.size).toBe(waiting.length);
        }
        queue.dismiss();
        expected.push(...waiting.map((one) => [one.id, false] as const));
        await new Promise((resolve) => setImmediate(resolve));
        expect(told).toEqual(expected);
      }),
    );
  });

  it('needs one listener for a hundred thousand on one signal, and all are dismissed', async () => {
    const queue = new WaitQueue();
    const stop = new AbortController();
    const all = Array.from({ length: 100_000 }, () => queue.wait(stop.signal));
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
    for (let served = 0; served < 50_000; served++) queue.grant();
    stop.abort();
    const granted = await Promise.all(all);
    expect(granted.filter(Boolean)).toHaveLength(50_000);
    expect(granted.slice(0, 50_000).every(Boolean)).toBe(true);
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
    expect(await queue.wait(stop.signal)).toBe(false);
  });

  it('leaves nothing on a signal that is never aborted', async () => {
    const queue = new WaitQueue();
    const { signal } = new AbortController();
    const [served, dismissed] = [queue.wait(signal), queue.wait(signal)];
    queue.grant();
    queue.dismiss();
    expect([await served, await dismissed]).toEqual([true, false]);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

describe('onAbort', () => {
  it('calls each callback once, none that was unregistered, and removes its listener', () => {
    const stop = new AbortController();
    const called: string[] = [];
    const forgetA = onAbort(stop.signal, () => called.push('a'));
    onAbort(stop.signal, () => called.push('b'));
    forgetA();
    forgetA();
    stop.abort();
    expect(called).toEqual(['b']);
    const other = new AbortController();
    onAbort(other.signal, () => called.push('c'))();
    expect(getEventListeners(other.signal, 'abort')).toHaveLength(0);
    expect(onAbort(undefined, () => called.push('d'))()).toBeUndefined();
    expect(called).toEqual(['b']);
  });

  it('allows a callback to unregister another', () => {
    const stop = new AbortController();
    const called: string[] = [];
    let forgetB: () => void = () => undefined;
    onAbort(stop.signal, () => {
      called.push('a');
      forgetB();
    });
    forgetB = onAbort(stop.signal, () => called.push('b'));
    stop.abort();
    expect(called).toEqual(['a']);
  });
});
