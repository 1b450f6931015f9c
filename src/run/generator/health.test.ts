import { stat } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, vi } from 'vitest';
import { type Clock, type Micros, realClock } from '../../base/index.ts';
import type { HealthRecord } from '../../history/index.ts';
import { exchange, us } from '../../testing/history/sample-records.ts';
import { healthMonitor, meanWaitOf } from './health.ts';

/** Health records of `seconds`, with something due every half millisecond, as in a fast run. */
async function watch(
  seconds: number,
  at: number,
  block: () => void,
  onRecord: () => void = () => undefined,
): Promise<HealthRecord[]> {
  const clock = realClock();
  const stop = new AbortController();
  const records: HealthRecord[] = [];
  const watched = { backlog: () => 0, longestQueue: () => 0, takeUnasked: () => [] };
  const monitor = healthMonitor({ clock, warmUpUs: us(0), medianLagUs: us(50_000), watched });
  const running = monitor.run(stop.signal, (record) => {
    records.push(record);
    onRecord();
  });
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
const standStill =
  (ms: number, onBegin: () => void = () => undefined) =>
  () =>
    stat(import.meta.filename, () => {
      onBegin();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    });

/** Health records with a standstill of so many ms that begins in the first interval, at `at` or somewhat later. */
async function watchStandstill(seconds: number, at: number, ms: number): Promise<HealthRecord[]> {
  let taken = 0;
  let before = 0;
  const still = standStill(ms, () => (before = taken));
  const records = await watch(seconds, at, still, () => (taken += 1));
  // Where the machine itself delays the standstill until the interval has ended, it is tried again.
  return before === 0 ? records : watchStandstill(seconds, at, ms);
}

/** What is recorded of an interval in which exchanges were late, and how far the generator is behind then. */
async function recordOf(
  lates: readonly number[],
  counts: readonly [backlog: number, queue: number, unasked: readonly number[]],
) {
  const [backlog, queue, unasked] = counts;
  const watched = { backlog: () => backlog, longestQueue: () => queue, takeUnasked: () => unasked };
  const monitor = healthMonitor({ clock: realClock(), warmUpUs: us(0), medianLagUs: us(50_000), watched });
  for (const [seq, late] of lates.entries())
    monitor.observe(exchange({ seq, intendedAt: us(100), sentAt: us(400 + late), capWaitUs: { openTurns: us(300) } }));
  monitor.observe(exchange({ seq: lates.length, operation: 'readTurn', intendedAt: us(0), sentAt: us(9_000_000) }));
  const stop = new AbortController();
  const records: HealthRecord[] = [];
  const running = monitor.run(stop.signal, (record) => records.push(record));
  stop.abort();
  await running;
  return { record: records[0], behindUs: monitor.behindUs() };
}

it('the lag is that of sending, without waits for caps and without polls', async () => {
  const { record, behindUs } = await recordOf([...new Array<number>(99).fill(20), 40], [0, 0, []]);
  expect([record?.scheduleLagP99Us, behindUs]).toEqual([20, undefined]);
  for (const name of ['connectionQueue', 'unasked', 'unaskedOn']) expect(record).not.toHaveProperty(name);
  const late = await recordOf([10, 60_000, 70_000], [7, 1, [5]]);
  expect(late.record).toMatchObject({ backlog: 7, connectionQueue: 1, unasked: 1, unaskedOn: [5] });
  expect(Math.abs((late.behindUs ?? 0) / 60_000 - 1)).toBeLessThan(1 / 64);
  expect((await recordOf([], [0, 0, []])).record).not.toHaveProperty('scheduleLagP99Us');
});

it('a standstill of the event loop is seen although the interval ends within it', async () => {
  const records = await watchStandstill(2, 900_000, 600);
  // An answer that comes at any instant of 1.5 s finds it standing with a probability of 0.6 ÷ 1.5, and then waits 0.3 s.
  expect(records[0]?.eventLoopWaitUs).toBeGreaterThan(80_000);
});

it('an answer that is read after a standstill may have come during it, also where a timer ran before', async () => {
  const clock = realClock();
  const watched = { backlog: () => 0, longestQueue: () => 0, takeUnasked: () => [] };
  const monitor = healthMonitor({ clock, warmUpUs: us(0), medianLagUs: us(50_000), watched });
  const sentAt = clock.now();
  const readNow = (sent: Micros = sentAt) => monitor.readLateUs({ sentAt: sent, receivedAt: clock.now() });
  expect(readNow(us(-1_000_000))).toBeUndefined();
  const stop = new AbortController();
  const records: HealthRecord[] = [];
  const running = monitor.run(stop.signal, (record) => records.push(record));
  await setTimeout(30);
  let atOnce: readonly (Micros | undefined)[] = [];
  const next = await new Promise<Micros | undefined>((done) => {
    stat(import.meta.filename, () => {
      // Comes during the standstill, and is read in the next turn, in which the timers run first.
      stat(import.meta.filename, () => done(readNow()));
      const began = clock.now();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      atOnce = [readNow(), readNow(began), readNow(clock.now())];
    });
  });
  for (const late of [...atOnce.slice(0, 2), next]) expect(late).toBeGreaterThanOrEqual(200_000);
  expect(atOnce[2]).toBeUndefined();
  stop.abort();
  await running;
  expect(records[0]?.eventLoopMaxUs).toBeGreaterThanOrEqual(190_000);
});

it('an answer waits on average for half of the delay in which it arrives', () => {
  const every10Ms = { mean: 10_000, stddev: 0 };
  expect(meanWaitOf(every10Ms)).toBe(0);
  // Always 20 ms late: samples every 30 ms, of which an answer hits the late 20 with a probability of 2/3, and waits 10 ms.
  expect(meanWaitOf({ mean: 30_000, stddev: 0 })).toBe(6_667);
  // Three times punctual, once 600 ms late: four samples in 640 ms.
  const [mean, square] = [(3 * 10 + 610) / 4, (3 * 10 ** 2 + 610 ** 2) / 4];
  expect(meanWaitOf({ mean: mean * 1e3, stddev: Math.sqrt(square - mean ** 2) * 1e3 })).toBe(
    Math.round((600 / 640) * 300_000),
  );
});

/** When records are made, µs, until `stop` is aborted. */
async function timesOf(clock: Clock, stop: AbortController, warmUpUs: number, most = 9): Promise<readonly number[]> {
  const watched = { backlog: () => 0, longestQueue: () => 0, takeUnasked: () => [] };
  const times: number[] = [];
  await healthMonitor({ clock, warmUpUs: us(warmUpUs), medianLagUs: us(50_000), watched }).run(
    stop.signal,
    ({ at }) => {
      if (times.push(at) === most) stop.abort();
    },
  );
  return times;
}

it.each([
  ['ends exactly with it', 0, [300_000, 1_300_000, 2_300_000]],
  ['ends exactly with it, though the timer is late', 99_999, [300_000, 1_300_000, 2_300_000]],
  ['ends later, if a standstill goes on beyond it', 100_000, [400_000, 1_300_000, 2_300_000]],
])('the interval that ends the warm-up %s', async (_, lateUs, expected) => {
  let now = 0;
  const sleepUntil = async (at: Micros) => {
    now = at + (now === 0 ? lateUs : 0);
  };
  const clock: Clock = { now: () => us(now), sleepUntil };
  expect(await timesOf(clock, new AbortController(), 300_000, expected.length)).toEqual(expected);
});

it('a standstill is seen although it begins with an interval, before its first sample', async () => {
  const standOnce = vi.fn<() => void>().mockImplementationOnce(standStill(600));
  const records = await watch(2.5, 0, () => undefined, standOnce);
  expect(records[1]?.eventLoopWaitUs).toBeGreaterThan(80_000);
});

it('a run that is stopped within the last interval of its warm-up has no record of the future', async () => {
  const stop = new AbortController();
  let now = 0;
  const sleepUntil = async () => {
    now = 100_000;
    stop.abort();
  };
  expect(await timesOf({ now: () => us(now), sleepUntil }, stop, 900_000)).toEqual([100_000]);
});

it('takes for schedule lag what the summary takes for it: no wait for an answer or for a token', async () => {
  const watched = { backlog: () => 0, longestQueue: () => 0, takeUnasked: () => [] };
  const stop = new AbortController();
  let now = 0;
  const sleepUntil = async (at: Micros) => {
    now = at;
  };
  const clock: Clock = { now: () => now as Micros, sleepUntil };
  const monitor = healthMonitor({ clock, warmUpUs: 0 as Micros, medianLagUs: 50_000 as Micros, watched });
  const times = (intendedAt: number, sentAt: number) => ({
    intendedAt: intendedAt as Micros,
    sentAt: sentAt as Micros,
  });
  const receivedAt = 400_000 as Micros;
  monitor.observe(exchange({ seq: 0, operation: 'issueToken', ...times(0, 300), receivedAt }));
  monitor.observe(exchange({ seq: 1, ...times(0, 400_020), capWaitUs: { token: 100_000 as Micros } }));
  monitor.observe(exchange({ seq: 2, operation: 'readTurn', ...times(500_000, 900_000) }));
  monitor.observe(exchange({ seq: 3, operation: 'sendMessage', resend: 'same', ...times(500_000, 900_000) }));
  const records: HealthRecord[] = [];
  await monitor.run(stop.signal, (record) => {
    records.push(record);
    stop.abort();
  });
  // The later of 300 µs and 20 µs; the waits would be 300,020 µs and more.
  expect(records[0]?.scheduleLagP99Us).toBeGreaterThanOrEqual(300);
  expect(records[0]?.scheduleLagP99Us).toBeLessThan(310);
});

it('the longest pause of garbage collection is one of its interval', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  const watched = { backlog: () => 0, longestQueue: () => 0, takeUnasked: () => [] };
  const stop = new AbortController();
  const records: HealthRecord[] = [];
  const sleepUntil = async () => {
    if (records.length === 0) collect();
    await setTimeout(10);
  };
  const clock: Clock = { now: () => us(0), sleepUntil };
  await healthMonitor({ clock, warmUpUs: us(0), medianLagUs: us(0), watched }).run(stop.signal, (record) => {
    if (records.push(record) === 5) stop.abort();
  });
  expect(records.some(({ gcMaxUs = 0 }) => gcMaxUs > 0)).toBe(true);
  expect(records.filter(({ gcUs, gcMaxUs = 0 }) => gcMaxUs > gcUs)).toEqual([]);
});
