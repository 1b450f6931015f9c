import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Micros, realClock } from '../../base/index.ts';
import { onDeadline } from './deadline.ts';

it('expires on the clock that it was given, never before, also when timers run ahead of it', async () => {
  const real = realClock();
  // A clock at half the speed of timers, so the first timer fires far too early.
  const clock = { ...real, now: () => Math.floor(real.now() / 2) as Micros };
  const at = (clock.now() + 20_000) as Micros;
  await new Promise<void>((resolve) => onDeadline(clock, at, resolve));
  expect(clock.now()).toBeGreaterThanOrEqual(at);
});

it('does not expire after it was cancelled', async () => {
  const clock = realClock();
  let expired = false;
  const callOff = onDeadline(clock, (clock.now() + 5_000) as Micros, () => {
    expired = true;
  });
  callOff();
  await clock.sleepUntil((clock.now() + 20_000) as Micros);
  expect(expired).toBe(false);
});

it('goes on for as long as the loop stood still beyond it: what was due then may not even have been written', async () => {
  const clock = realClock();
  const expiredAfter = (inUs: number) =>
    new Promise<number>((resolve) => {
      const at = (clock.now() + inUs) as Micros;
      onDeadline(clock, at, () => resolve(clock.now() - at));
    });
  const expired = expiredAfter(20_000);
  await setTimeout(5);
  const began = clock.now();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
  const lateUs = clock.now() - began - 15_000;
  expect(await expired).toBeGreaterThan(2 * lateUs - 10_000);
  // Once: a loop that is always late would otherwise never expire.
  const again = expiredAfter(20_000);
  for (let time = 0; time < 2; time++) {
    await setTimeout(5);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
  await setTimeout(20);
  expect(await Promise.race([again.then(() => 'expired'), setTimeout(300, 'waits')])).toBe('expired');

  // Nor has the loop stood still since a deadline that was over when it was set.
  expect(await Promise.race([expiredAfter(-10_000_000).then(() => 'expired'), setTimeout(300, 'waits')])).toBe(
    'expired',
  );
});
