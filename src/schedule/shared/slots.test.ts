import { describe, expect, it } from 'vitest';
import { type Clock, type Micros, realClock } from '../../base/index.ts';
import { capsOf } from '../caps/caps.ts';
import { PENDING_BYTES } from '../caps/pending.ts';
import type { Release } from '../caps/slots.ts';
import { rateBytes, sharedRateSlots } from './rate.ts';
import { SharedSlots, SLOT_CELLS } from './slots.ts';

const never = new AbortController().signal;
const cells = (drawn = 0) =>
  new Int32Array(new SharedArrayBuffer(SLOT_CELLS * Int32Array.BYTES_PER_ELEMENT)).fill(drawn);

/** Whether a promise is settled once everything that is due has happened. */
async function isWaiting(promise: Promise<unknown>): Promise<boolean> {
  const still = Symbol('still waiting');
  return (await Promise.race([promise, new Promise((done) => setTimeout(done, 20, still))])) === still;
}

const granted = async (taking: Promise<Release | undefined>): Promise<Release> => {
  const release = await taking;
  if (!release) throw new Error('no slot was granted');
  return release;
};

describe('slots that several threads share', () => {
  it('grant no more than their number over all threads, and the next one when any thread gives one back', async () => {
    const memory = cells();
    const [one, other] = [new SharedSlots(memory, 2), new SharedSlots(memory, 2)];
    const first = await granted(one.take(never));
    expect(other.full()).toBe(false);
    await granted(other.take(never));
    expect([one.full(), other.full()]).toEqual([true, true]);
    const third = other.take(never);
    expect(await isWaiting(third)).toBe(true);
    first();
    first();
    const release = await granted(third);
    expect(await isWaiting(one.take(never))).toBe(true);
    release();
  });

  it('alternate between threads, and serve each thread first come, first served', async () => {
    const memory = cells();
    const sides = [new SharedSlots(memory, 1), new SharedSlots(memory, 1)] as const;
    const order: string[] = [];
    const first = await granted(sides[0].take(never));
    const work = async (side: 0 | 1, name: string) => {
      const release = await granted(sides[side].take(never));
      order.push(name);
      release();
    };
    const all = [work(0, 'a1'), work(0, 'a2'), work(1, 'b1'), work(0, 'a3'), work(1, 'b2')];
    first();
    await Promise.all(all);
    expect(order).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('pass on the ticket of a waiter that gave up, before its thread may end', async () => {
    const memory = cells();
    const [one, other] = [new SharedSlots(memory, 1), new SharedSlots(memory, 1)];
    const held = await granted(one.take(never));
    const stop = new AbortController();
    const given = other.take(stop.signal);
    const waits = one.take(never);
    stop.abort();
    expect(await given).toBe(undefined);
    expect(await other.take(stop.signal)).toBe(undefined);
    const settled = other.settled(never);
    expect(await isWaiting(settled)).toBe(true);
    held();
    await settled;
    (await granted(waits))();
    expect(one.full()).toBe(false);
    await one.settled(never);
  });

  it('let a thread end at once if the run is aborted', async () => {
    const memory = cells();
    const [one, other] = [new SharedSlots(memory, 1), new SharedSlots(memory, 1)];
    await granted(one.take(never));
    const abort = new AbortController();
    const given = other.take(abort.signal);
    const settled = other.settled(abort.signal);
    abort.abort();
    expect(await given).toBe(undefined);
    await settled;
  });

  it('keep counting when the counters overflow', async () => {
    const memory = cells(2 ** 31 - 2);
    const slots = new SharedSlots(memory, 2);
    for (let round = 0; round < 3; round++) {
      const both = [await granted(slots.take(never)), await granted(slots.take(never))];
      expect(slots.full()).toBe(true);
      for (const release of both) release();
    }
    expect(memory[0]).toBeLessThan(0);
    expect(slots.full()).toBe(false);
  });

  it('grant in a time that does not grow with the number of waiters that gave up', async () => {
    const slots = new SharedSlots(cells(), 1);
    const held = await granted(slots.take(never));
    const stop = new AbortController();
    const given = Array.from({ length: 100_000 }, () => slots.take(stop.signal));
    const waits = slots.take(never);
    stop.abort();
    expect((await Promise.all(given)).every((one) => one === undefined)).toBe(true);
    held();
    (await granted(waits))();
    expect(slots.full()).toBe(false);
  });
});

describe('a cap that several threads share', () => {
  it('counts pending requests of all threads as full', async () => {
    const inFlight = new SharedArrayBuffer(SLOT_CELLS * Int32Array.BYTES_PER_ELEMENT);
    const shares = { inFlight, pending: new SharedArrayBuffer(PENDING_BYTES), stocks: new SharedArrayBuffer(0) };
    const sideOf = () => capsOf({ inFlight: 2, whenFull: 'drop' }, realClock(), 1, shares);
    const [one, other] = [sideOf(), sideOf()];
    one.pending.change('inFlight', 1);
    expect([one.fullCap(), other.fullCap()]).toEqual([undefined, undefined]);
    other.pending.change('inFlight', 1);
    expect([one.fullCap(), other.fullCap()]).toEqual(['max-in-flight', 'max-in-flight']);
    one.pending.change('inFlight', -1);
    const release = await granted(one.inFlight.take(never));
    expect([one.fullCap(), other.fullCap()]).toEqual(['max-in-flight', 'max-in-flight']);
    other.pending.change('inFlight', -1);
    expect([one.fullCap(), other.fullCap()]).toEqual([undefined, undefined]);
    release();
  });
});

describe('a rate that several threads share', () => {
  const windowUs = 60_000 as Micros;

  /** Sleeps by going on at once. */
  function steppingClock(): Clock & { elapse(us: number): void } {
    let now = 0;
    return {
      now: () => now as Micros,
      sleepUntil: async (at) => {
        now = Math.max(now, at);
      },
      elapse: (us) => {
        now += us;
      },
    };
  }

  const sidesOf = (clock: Clock, max: number) => {
    const memory = new SharedArrayBuffer(rateBytes(max));
    return [sharedRateSlots(memory, clock, max, windowUs), sharedRateSlots(memory, clock, max, windowUs)] as const;
  };

  it('grants no more than its number in any window over all threads', async () => {
    const clock = steppingClock();
    const sides = sidesOf(clock, 3);
    const sent: number[] = [];
    const send = async (side: 0 | 1) => {
      const slot = await sides[side].take(never);
      slot?.sent();
      sent.push(clock.now());
    };
    await Promise.all(Array.from({ length: 12 }, (_, n) => send((n % 2) as 0 | 1)));
    expect(sent).toEqual([0, 1, 2, 3].flatMap((round) => [1, 2, 3].map(() => round * windowUs)));
    expect(sides.map((side) => side.full())).toEqual([true, true]);
  });

  it('counts from the sending of a request, in any order of sending', async () => {
    const clock = steppingClock();
    const [one, other] = sidesOf(clock, 2);
    const [early, late] = [await one.take(never), await other.take(never)];
    clock.elapse(50_000);
    late?.sent();
    clock.elapse(50_000);
    // One is free 60 ms after it was sent, the other still waits for something.
    const third = await one.take(never);
    expect(clock.now()).toBe(110_000);
    early?.sent();
    third?.giveBack();
    third?.sent();
    expect([one.full(), other.full()]).toEqual([false, false]);
    const fourth = await other.take(never);
    expect([clock.now(), one.full()]).toEqual([110_000, true]);
    fourth?.sent();
    fourth?.giveBack();
    await one.take(never);
    expect(clock.now()).toBe(170_000);
  });

  it('is full for a thread behind which another one waits for the slot that has just become free', async () => {
    const clock = steppingClock();
    const wakes: (() => void)[] = [];
    const sleeping = { ...clock, sleepUntil: () => new Promise<void>((wake) => wakes.push(wake)) };
    const [one, other] = sidesOf(sleeping, 1);
    (await one.take(never))?.sent();
    const waiter = one.take(never);
    await new Promise(setImmediate);
    clock.elapse(windowUs);
    expect([one.full(), other.full()]).toEqual([true, true]);
    wakes[0]?.();
    (await waiter)?.giveBack();
    expect([one.full(), other.full()]).toEqual([false, false]);
  });

  it('does not wait for a waiter that gave up', async () => {
    const clock = realClock();
    const [slots] = sidesOf(clock, 1);
    (await slots.take(never))?.sent();
    const from = clock.now();
    const stop = new AbortController();
    const given = Array.from({ length: 50 }, () => slots.take(stop.signal));
    const stays = slots.take(never);
    stop.abort();
    expect(await Promise.all(given)).toEqual(given.map(() => undefined));
    expect(await stays).toBeDefined();
    // Had any of the fifty kept one, this one would have waited for seconds.
    expect(clock.now() - from).toBeLessThan(2_000_000);
    await slots.settled(never);
  });
});
