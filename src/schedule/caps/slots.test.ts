import { expect, it } from 'vitest';
import { slotsOf } from './slots.ts';

const never = new AbortController().signal;

it('a slot that is given back twice is one slot', async () => {
  const slots = slotsOf(1);
  const first = await slots.take(never);
  first?.();
  first?.();
  expect(slots.full()).toBe(false);
  const second = await slots.take(never);
  expect([second, slots.full()]).toEqual([expect.any(Function), true]);
});

it('a waiter that gave up counts no more, also when its turn comes', async () => {
  const slots = slotsOf(1);
  const held = await slots.take(never);
  const stop = new AbortController();
  const given = slots.take(stop.signal);
  stop.abort();
  expect(await given).toBe(undefined);
  held?.();
  await slots.take(never);
  expect(slots.full()).toBe(true);
});

it('a caller who has stopped before gets no slot, free or not, and counts for none', async () => {
  const slots = slotsOf(1);
  expect(await slots.take(AbortSignal.abort())).toBe(undefined);
  expect(slots.full()).toBe(false);
  await slots.take(never);
  expect([await slots.take(AbortSignal.abort()), slots.full()]).toEqual([undefined, true]);
});

it('without a count nobody waits, and nobody need ask', async () => {
  const slots = slotsOf(undefined);
  expect([slots.isUnlimited, slots.full(1_000), slotsOf(1).isUnlimited]).toEqual([true, false, false]);
  expect(await slots.take(never)).toEqual(expect.any(Function));
});
