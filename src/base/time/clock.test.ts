import { getEventListeners, setMaxListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { realClock } from './clock.ts';
import type { Micros } from './units.ts';
import { VirtualClock } from './virtual-clock.ts';

const us = (value: number) => value as Micros;

describe('the real clock', () => {
  it('never wakes a sleeper early, and starts at zero', async () => {
    const clock = realClock();
    expect(clock.now()).toBeLessThan(1_000_000);
    const instants = Array.from({ length: 200 }, (_, index) => us(clock.now() + 137 * index + (index % 7) * 1_313));
    const early = await Promise.all(
      instants.map(async (at) => {
        await clock.sleepUntil(at);
        return Math.min(0, clock.now() - at);
      }),
    );
    expect(early).toEqual(instants.map(() => 0));
  });

  it('polls in one chain of event-loop turns, however many sleepers are added', async () => {
    const turn = vi.spyOn(globalThis, 'setImmediate');
    // By function, because other parts of the process wait for turns as well: a clock always waits with the same one.
    const pending = new Map<() => void, number>();
    let most = 0;
    const count = (then: () => void, by: number) => {
      const now = (pending.get(then) ?? 0) + by;
      pending.set(then, now);
      most = Math.max(most, now);
    };
    turn.mockImplementation(((then: () => void) => {
      count(then, 1);
      return setTimeout(() => {
        count(then, -1);
        then();
      }, 0);
    }) as unknown as typeof setImmediate);
    const clock = realClock();
    const sleepAgain = async (period: number) => {
      while (clock.now() < 300_000) await clock.sleepUntil(us(clock.now() + period));
    };
    await Promise.all([1_000, 7_300, 13_000, 20_000].map(sleepAgain));
    turn.mockRestore();
    expect(most).toBe(1);
  });

  it('advances in whole microseconds', () => {
    const clock = realClock();
    const readings = Array.from({ length: 10_000 }, () => clock.now());
    expect(readings.every(Number.isInteger)).toBe(true);
    expect(readings.every((reading, index) => reading >= (readings[index - 1] ?? 0))).toBe(true);
  });

  it('resolves immediately if the instant has passed or the signal is aborted', async () => {
    const clock = realClock();
    await clock.sleepUntil(us(clock.now() - 5));
    const aborted = new AbortController();
    aborted.abort();
    await clock.sleepUntil(us(clock.now() + 3_600_000_000), aborted.signal);
    const later = new AbortController();
    const sleeping = clock.sleepUntil(us(clock.now() + 3_600_000_000), later.signal);
    later.abort();
    await sleeping;
    expect(clock.now()).toBeLessThan(3_600_000_000);
  });

  it('waits for instants beyond the range of a timer', async () => {
    const clock = realClock();
    const stop = new AbortController();
    let woke = false;
    const month = clock.sleepUntil(us(clock.now() + 30 * 86_400_000_000), stop.signal).then(() => {
      woke = true;
    });
    await clock.sleepUntil(us(clock.now() + 20_000));
    expect(woke).toBe(false);
    stop.abort();
    await month;
  });

  it('does not keep the process alive for a sleeper whose signal was aborted', async () => {
    const timersBefore = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const clock = realClock();
    const stop = new AbortController();
    const sleeping = [1, 2, 3].map((hours) => clock.sleepUntil(us(hours * 3_600_000_000), stop.signal));
    expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBe(timersBefore + 1);
    stop.abort();
    await Promise.all(sleeping);
    expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBe(timersBefore);
  });

  it('wakes in order of instants, then of insertion, even if some sleepers are woken early', async () => {
    const clock = realClock();
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    const woken: number[] = [];
    const base = clock.now() + 30_000;
    const offsets = [9, 3, 3, 7, 1, 9, 5, 1, 8, 2].map((step) => step * 400);
    const sleeping = offsets.map((offset, index) =>
      clock.sleepUntil(us(base + offset), index % 3 === 2 ? stop.signal : undefined).then(() => woken.push(index)),
    );
    stop.abort();
    await Promise.all(sleeping);
    expect(woken).toEqual([2, 5, 8, 4, 7, 9, 1, 6, 3, 0]);
  });

  it('can share its origin with a clock of another thread', async () => {
    const clock = realClock();
    await clock.sleepUntil(us(2_000));
    const other = realClock();
    other.restart(clock.origin());
    const [before, there, after] = [clock.now(), other.now(), clock.now()];
    // Each clock estimates the thread's start on its own; the estimates differ by less than the microsecond that a reading takes.
    expect(there).toBeGreaterThanOrEqual(before - 50);
    expect(there).toBeLessThanOrEqual(after + 50);
    const monotonic = () => Number(process.hrtime.bigint()) / 1_000;
    const [from, at, until] = [monotonic(), clock.origin() + clock.now(), monotonic()];
    expect(at).toBeGreaterThanOrEqual(from - 50);
    expect(at).toBeLessThanOrEqual(until + 50);
  });

  it('starts again at zero after a restart', async () => {
    const clock = realClock();
    await clock.sleepUntil(us(30_000));
    clock.restart();
    expect(clock.now()).toBeLessThan(30_000);
  });
});

describe.each([
  { name: 'real', clock: () => realClock(), run: <T>(_: unknown, work: () => Promise<T>) => work() },
  {
    name: 'virtual',
    clock: () => new VirtualClock(),
    run: <T>(clock: unknown, work: () => Promise<T>) => (clock as VirtualClock).run(work),
  },
])('a $name clock', ({ clock: make, run }) => {
  it('removes its listener from a signal after many sleeps', async () => {
    const clock = make();
    const stop = new AbortController();
    setMaxListeners(0, stop.signal);
    await run(clock, () =>
      Promise.all(Array.from({ length: 50 }, (_, i) => clock.sleepUntil(us(i * 100), stop.signal))),
    );
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
  });
});

describe('the virtual clock', () => {
  it('wakes sleepers in order of instants, then of insertion, exactly at their instants', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(1_000), { minLength: 1, maxLength: 60 }), async (instants) => {
        const clock = new VirtualClock();
        const woken: { readonly at: number; readonly order: number; readonly now: number }[] = [];
        await clock.run(() =>
          Promise.all(
            instants.map(async (at, order) => {
              await clock.sleepUntil(us(at));
              woken.push({ at, order, now: clock.now() });
            }),
          ),
        );
        const asleep = woken.filter(({ at }) => at > 0);
        expect(asleep).toEqual([...asleep].sort((a, b) => a.at - b.at || a.order - b.order));
        expect(woken.every(({ at, now }) => now === at)).toBe(true);
        expect(clock.now()).toBe(Math.max(...instants));
      }),
    );
  });

  it('never goes backwards through a chain of sleeps', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.integer({ min: -50, max: 200 }), { maxLength: 12 }), { maxLength: 8 }),
        async (chains) => {
          const clock = new VirtualClock();
          const seen: number[] = [];
          await clock.run(() =>
            Promise.all(
              chains.map(async (steps) => {
                for (const step of steps) {
                  const at = us(clock.now() + step);
                  await clock.sleepUntil(at);
                  expect(clock.now()).toBeGreaterThanOrEqual(at);
                  seen.push(clock.now());
                }
              }),
            ),
          );
          expect(seen).toEqual([...seen].sort((a, b) => a - b));
        },
      ),
    );
  });

  it('simulates a day within moments', async () => {
    const clock = new VirtualClock();
    const result = await clock.run(async () => {
      for (let hour = 1; hour <= 24; hour++) await clock.sleepUntil(us(hour * 3_600_000_000));
      return 'over';
    });
    expect(result).toBe('over');
    expect(clock.now()).toBe(86_400_000_000);
  });

  it('wakes only sleepers whose signal is aborted, at that instant', async () => {
    const clock = new VirtualClock();
    const stop = new AbortController();
    const woken: [string, number][] = [];
    await clock.run(() =>
      Promise.all([
        clock.sleepUntil(us(1_000), stop.signal).then(() => woken.push(['stopped', clock.now()])),
        clock.sleepUntil(us(1_000)).then(() => woken.push(['patient', clock.now()])),
        clock.sleepUntil(us(300)).then(() => stop.abort()),
      ]),
    );
    expect(woken).toEqual([
      ['stopped', 300],
      ['patient', 1_000],
    ]);
  });

  it('throws if the work is pending and nobody sleeps', async () => {
    const clock = new VirtualClock();
    await expect(clock.run(() => new Promise(() => undefined))).rejects.toThrow('virtual time stands still');
  });

  it('propagates errors of the work', async () => {
    const clock = new VirtualClock();
    const work = async () => {
      await clock.sleepUntil(us(10));
      throw new Error('broken');
    };
    await expect(clock.run(work)).rejects.toThrow('broken');
    expect(clock.now()).toBe(10);
  });
});
