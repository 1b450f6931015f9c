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
