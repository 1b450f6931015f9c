import { expect, it } from 'vitest';
import type { Clock, Micros } from '../../base/index.ts';
import { gate } from '../../gates/judged.exam.ts';
import { gateGuard } from './gate-guard.ts';

it('a gate that takes longer to judge than the time between two looks at it leaves time for everything else', async () => {
  const over = new AbortController();
  let now = 0;
  let looks = 0;
  /** A second passes with each reading. As with a real clock, an instant that has passed is not waited for. */
  const clock: Clock = {
    now() {
      now += 1_000_000;
      return now as Micros;
    },
    async sleepUntil(at) {
      // A guard that never waits would block this process for good.
      if (++looks > 100) over.abort();
      if (at <= now) return;
      await new Promise((turned) => setImmediate(turned));
      now = at;
    },
  };
  const guard = gateGuard([gate('http_reqs', 'count<9', { abortOnFail: true })]);
  expect(guard.watches).toBe(true);
  const watching = guard.watch(clock, over.signal, () => undefined);
  await new Promise((turned) => setImmediate(turned));
  over.abort();
  await watching;
  expect(looks).toBeLessThan(5);
});
