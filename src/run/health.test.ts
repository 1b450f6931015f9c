import { stat } from 'node:fs';
import { expect, it } from 'vitest';
import { type Clock, type Micros, realClock } from '../base/index.ts';
import type { HealthRecord } from '../history/index.ts';
import { healthMonitor } from './health.ts';

/** Health records of `seconds`, with something due every half millisecond, as in a fast run. */
async function watch(seconds: number, at: number, block: () => void, warmUpUs = 0): Promise<HealthRecord[]> {
  const clock = realClock();
  const stop = new AbortController();
  const records: HealthRecord[] = [];
  const watched = { backlog: () => 0, longestQueue: () => 0, takeUnasked: () => 0 };
  const monitor = healthMonitor({ clock, warmUpUs: warmUpUs as Micros, medianLagUs: 50_000 as Micros, watched });
  const running = monitor.run(stop.signal, (record) => records.push(record));
  await pacing(clock, at);
  block();
  await pacing(clock, seconds * 1_000_000);
  stop.abort();
  await running;
  return records;
}

async function pacing(clock: Clock, until: number): Promise<void> {
  while (clock.now() < until) await clock.sleepUntil((clock.now() + 500) as Micros);
}

/** Where answers are read, too: what is due then wakes before the timer that measures the delay. */
const standStill = (ms: number) => () =>
  stat(import.meta.filename, () => {
    for (const until = performance.now() + ms; performance.now() < until; );
  });

it('a standstill of the event loop is seen although the interval ends within it', async () => {
  const records = await watch(2, 900_000, standStill(600));
  // An answer that comes at any instant of 1.5 s finds it standing with a probability of 0.6 ÷ 1.5, and then waits 0.3 s.
  const [first] = records;
  expect(first?.eventLoopWaitUs).toBeGreaterThan(80_000);
  expect(first?.eventLoopWaitUs).toBeLessThan(300_000);
});

it('an event loop that never stands still lets answers wait for a small part of the time', async () => {
  const records = await watch(1.2, 100_000, () => undefined);
  expect(records[0]?.eventLoopWaitUs).toBeLessThan(60_000);
});

it('the interval that ends the warm-up ends exactly with it, unless a standstill goes on beyond', async () => {
  const still = await watch(0.5, 100_000, () => undefined, 300_000);
  expect(still[0]?.at).toBe(300_000);
  expect(still[1]?.at).toBeGreaterThanOrEqual(500_000);
  const [stood] = await watch(0.9, 200_000, standStill(500), 300_000);
  expect(stood?.at).toBeGreaterThan(600_000);
});
