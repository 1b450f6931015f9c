import { expect, it } from 'vitest';
import type { Clock, Micros, Millis } from '../../base/index.ts';
import { gate } from '../../gates/judged.exam.ts';
import { exchange, header, us } from '../../testing/history/sample-records.ts';
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

it('judges no window whose last records may still be on their way', async () => {
  const everySecond = gate('http_reqs', 'rate>9', { abortOnFail: true, window: 1_000 as Millis });
  /** Ten requests a second, each known 300 ms after its end. */
  const stoppedAt = async (knownUntil: (now: Micros) => Micros) => {
    const over = new AbortController();
    const guard = gateGuard([everySecond], knownUntil);
    guard.add(header());
    let now = us(0);
    let sent = us(50_000);
    const clock: Clock = {
      now: () => now,
      async sleepUntil(at) {
        for (; sent + 300_000 < at; sent = us(sent + 100_000))
          guard.add(exchange({ seq: sent, sentAt: sent, receivedAt: sent }));
        now = at;
        if (now > 5_000_000) over.abort();
      },
    };
    let ended: Micros | undefined;
    await guard.watch(clock, over.signal, () => {
      ended = now;
    });
    return ended;
  };
  expect(await stoppedAt((now) => now)).toBe(1_000_000);
  expect(await stoppedAt((now) => us(now - 500_000))).toBeUndefined();
});

it.each([
  ['http_req_failed', 'bound(rate)<0.01', 324],
  ['http_req_duration', 'bound(p(95))<20', 358],
])(
  '%s: %s ends a run after five minutes without a failure, though its samples vary over time then',
  async (metric, threshold, endsAt) => {
    const guard = gateGuard([gate(metric, threshold, { abortOnFail: true })]);
    guard.add(header());
    const over = new AbortController();
    let now = us(0);
    let seq = 0;
    const clock: Clock = {
      now: () => now,
      async sleepUntil(at) {
        for (; seq * 100_000 < at; seq++) {
          const sentAt = us(seq * 100_000);
          const isWell = sentAt < 300_000_000;
          guard.add(
            exchange({
              seq,
              sentAt,
              receivedAt: us(sentAt + (isWell ? 1_000 : 30_000) + 100 * (seq % 100)),
              status: isWell ? 200 : 500,
            }),
          );
        }
        now = at;
        if (now > 900_000_000) over.abort();
      },
    };
    let ended: Micros | undefined;
    await guard.watch(clock, over.signal, () => {
      ended = now;
    });
    expect(ended).toBe(endsAt * 1_000_000);
  },
);
