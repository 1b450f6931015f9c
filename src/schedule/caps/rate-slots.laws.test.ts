import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Micros, VirtualClock } from '../../base/index.ts';
import { rateSlots } from './caps.ts';

const WINDOW_US = 60_000_000;
const never = new AbortController().signal;

/** Seconds: when a request comes, and how long it waits for something else once its turn has come. */
const requests = fc.array(
  fc.record({ comes: fc.nat(200), waits: fc.oneof(fc.constant(0), fc.nat(150)), isSent: fc.boolean() }),
  { maxLength: 25 },
);

/** The instants, in seconds, at which requests were granted and sent. */
async function run(max: number, asked: readonly { comes: number; waits: number; isSent: boolean }[]) {
  const clock = new VirtualClock();
  const slots = rateSlots(clock, max, WINDOW_US as Micros);
  const granted: { readonly order: number; readonly at: number }[] = [];
  const sent: number[] = [];
  const inOrder = [...asked].sort((a, b) => a.comes - b.comes);
  const one = async ({ comes, waits, isSent }: (typeof asked)[number], order: number) => {
    await clock.sleepUntil((comes * 1e6) as Micros);
    const slot = await slots.take(never);
    granted.push({ order, at: clock.now() / 1e6 });
    await clock.sleepUntil((clock.now() + waits * 1e6) as Micros);
    if (isSent) {
      slot?.sent();
      sent.push(clock.now());
    }
    slot?.giveBack();
  };
  await clock.run(() => Promise.all(inOrder.map(one)));
  return { granted, sent, comes: inOrder.map(({ comes }) => comes) };
}

describe('slots of a rate', () => {
  it('let no more than their number be sent in any window, and everybody come, the first to come first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), requests, async (max, asked) => {
        const { granted, sent } = await run(max, asked);
        expect(granted.map(({ order }) => order)).toEqual(asked.map((_, order) => order));
        expect(sent).toHaveLength(asked.filter(({ isSent }) => isSent).length);
        for (let n = max; n < sent.length; n++)
          expect((sent[n] ?? 0) - (sent[n - max] ?? 0)).toBeGreaterThanOrEqual(WINDOW_US);
      }),
      { numRuns: 60 },
    );
  });

  it('hold nobody up for longer than that, where what is granted is sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), requests, async (max, asked) => {
        const all = asked.map(({ comes }) => ({ comes, waits: 0, isSent: true }));
        const { granted, comes } = await run(max, all);
        const best: number[] = [];
        for (const [n, at] of comes.entries())
          best.push(Math.max(at, (best[n - max] ?? Number.NEGATIVE_INFINITY) + WINDOW_US / 1e6));
        expect(granted.map(({ at }) => at)).toEqual(best);
      }),
      { numRuns: 60 },
    );
  });

  it('are all given at once to as many, also by the thousand', async () => {
    const { granted } = await run(
      2_000,
      Array.from({ length: 2_001 }, () => ({ comes: 0, waits: 0, isSent: true })),
    );
    expect(granted.map(({ at }) => at)).toEqual([...Array(2_000).fill(0), WINDOW_US / 1e6]);
  });

  it('are full for who would have to wait, and for nobody else', async () => {
    const clock = new VirtualClock();
    const slots = rateSlots(clock, 2, WINDOW_US as Micros);
    const taking = [slots.take(never)];
    expect(slots.full()).toBe(false);
    taking.push(slots.take(never));
    expect(slots.full()).toBe(true);
    const [first, second] = await Promise.all(taking);
    expect(slots.full()).toBe(true);
    first?.giveBack();
    expect(slots.full()).toBe(false);
    second?.sent();
    clock.set((WINDOW_US - 1) as Micros);
    expect((await slots.take(never)) && slots.full()).toBe(true);
    clock.set(WINDOW_US as Micros);
    expect(slots.full()).toBe(false);
  });

  it('are full for whom as many as are free come before', async () => {
    const slots = rateSlots(new VirtualClock(), 3, WINDOW_US as Micros);
    const fullBehind = () => [0, 1, 2, 3].map((others) => slots.full(others));
    expect(fullBehind()).toEqual([false, false, false, true]);
    await slots.take(never);
    expect(fullBehind()).toEqual([false, false, true, true]);
  });
});
