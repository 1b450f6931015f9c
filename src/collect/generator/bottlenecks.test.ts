import { describe, expect, it } from 'vitest';
import type { Micros } from '../../base/index.ts';
import type { Exchange, GeneratorLimits, JournalRecord } from '../../history/index.ts';
import { end, exchange, header, us } from '../../testing/history/sample-records.ts';
import { summaryOf } from '../../testing/measured.ts';

const allowed: GeneratorLimits = {
  medianLagUs: 20_000 as Micros,
  p99LagUs: 200_000 as Micros,
  eventLoopUs: 20_000 as Micros,
  lateShare: 0.01,
  enforced: true,
};

/** One exchange every 10 ms, each as late and as slow as told. */
const exchanges = (count: number, late: (k: number) => number, service = 2_000): Exchange[] =>
  Array.from({ length: count }, (_, k) => {
    const sentAt = us(k * 10_000 + late(k));
    const [headersAt, receivedAt] = [us(sentAt + service - 100), us(sentAt + service)];
    return exchange({ seq: k, arrival: k, intendedAt: us(k * 10_000), sentAt, headersAt, receivedAt });
  });

function bottlenecks(records: readonly JournalRecord[], limits: GeneratorLimits | undefined = allowed, arrivals = 0) {
  return summaryOf([
    header({ ...(limits && { generator: limits }) }),
    ...records,
    end({ at: us(60_000_000), arrivals, exchanges: records.filter(({ kind }) => kind === 'exchange').length }),
  ]).health.bottlenecks;
}

/** The first so many of 400 answers were read late, after a standstill of 300 ms; the service itself took 2 ms. */
const readLate = (count: number, ownUs = 2_000) =>
  exchanges(400, () => 100, ownUs).map((one, k) =>
    k < count ? { ...one, receivedAt: us(one.receivedAt + 300_000), readLateUs: us(300_000) } : one,
  );

describe('the generator is the bottleneck', () => {
  it('when more than one answer in twenty was read later than the service took', () => {
    expect(bottlenecks(readLate(21))).toEqual([{ what: 'late-reads', count: 21, of: 400, allowedShare: 0.05 }]);
    for (const fine of [readLate(20), readLate(40, 400_000), readLate(29).slice(0, 29)])
      expect(bottlenecks(fine)).toEqual([]);
  });

  it('when requests leave late, though answers were read later still: their times are not the service’s', () => {
    const late = (count: number) =>
      readLate(count).map((one, k) =>
        k >= 380 ? { ...one, sentAt: us(one.sentAt + 250_000), receivedAt: us(one.receivedAt + 250_000) } : one,
      );
    expect(bottlenecks(late(20))).toMatchObject([{ what: 'lag', percentile: 'p99', allowedUs: 200_000 }]);
  });

  it('when one of four workers sends half of its requests late, and the others in time', () => {
    const byWorker = (late: number) => {
      const all = exchanges(400, (k) => (k % 4 === 2 ? late : 100));
      return bottlenecks(all.map((one) => ({ ...one, worker: (one.seq % 4) + 1, seq: Math.floor(one.seq / 4) })));
    };
    expect(byWorker(50_000)).toMatchObject([{ what: 'lag', percentile: 'p50', allowedUs: 20_000 }]);
    expect(byWorker(15_000)).toEqual([]);
  });

  it('when the event loop of one worker is late for half of the time, and the other’s is not', () => {
    const watched = (typicalUs: readonly number[]) =>
      [1, 2, 3].flatMap((second) =>
        typicalUs.map((us50, index) => ({
          ...{ kind: 'health' as const, at: us(second * 1_000_000), worker: index + 1 },
          ...{ eventLoopP99Us: us(90_000), eventLoopP50Us: us(us50), gcUs: us(0), backlog: 0 },
        })),
      );
    const sent = exchanges(60, () => 100).map((one) => ({ ...one, worker: (one.seq % 2) + 1 }));
    expect(bottlenecks([...sent, ...watched([100, 60_000])])).toEqual([
      { what: 'event-loop', us: 60_000, allowedUs: 20_000 },
    ]);
    expect(bottlenecks([...sent, ...watched([100, 100])])).toEqual([]);
    // Of two workers, two seconds of watching make four intervals.
    expect(bottlenecks([...sent, ...watched([100, 60_000]).slice(0, 4)])).toEqual([]);
  });

  it('when half of the requests are sent late', () => {
    const [found, ...others] = bottlenecks(exchanges(400, (k) => (k % 3 === 0 ? 100 : 50_000))) ?? [];
    expect(others).toEqual([]);
    expect(found).toMatchObject({ what: 'lag', percentile: 'p50', allowedUs: 20_000 });
    expect(found?.what === 'lag' && Math.abs(found.us - 50_000)).toBeLessThan(50);
  });

  it('when it falls further behind with every second, at a rate that it cannot sustain', () => {
    const found = bottlenecks(exchanges(2_000, (k) => k * 500)) ?? [];
    expect(found.map((one) => one.what === 'lag' && one.percentile)).toEqual(['p50', 'p99']);
  });

  it('when its lag grows slowly: a trend is no chance, even though the end of a run is unlike its beginning', () => {
    const slower = exchanges(2_000, (k) => k * 50);
    const byWorkers = (count: number) => slower.map((one) => ({ ...one, worker: (one.seq % count) + 1 }));
    for (const records of [slower, byWorkers(2)])
      expect(bottlenecks(records)).toMatchObject([{ what: 'lag', percentile: 'p50' }]);
  });

  it('when one request in a hundred is sent very late, but not when one in a thousand is', () => {
    const oneIn = (n: number) => exchanges(5_000, (k) => (k % n === 0 ? 400_000 : 100));
    expect(bottlenecks(oneIn(50))).toMatchObject([{ what: 'lag', percentile: 'p99', allowedUs: 200_000 }]);
    expect(bottlenecks(oneIn(1_000))).toEqual([]);
  });

  it('not when a hiccup of the machine makes a few requests of a short run late', () => {
    expect(bottlenecks(exchanges(20, (k) => (k < 8 ? 150_000 - k * 10_000 : 100)))).toEqual([]);
    expect(bottlenecks(exchanges(200, (k) => (k < 20 ? 190_000 - k * 10_000 : 100)))).toEqual([]);
    expect(bottlenecks(exchanges(29, () => 5_000_000))).toEqual([]);
    // Of polls no lag is known.
    expect(bottlenecks(exchanges(60, () => 5_000_000).map((one) => ({ ...one, operation: 'readTurn' })))).toEqual([]);
    expect(bottlenecks(exchanges(30, () => 5_000_000))).toMatchObject([{ what: 'lag', percentile: 'p50' }]);
  });

  it('not when its lag is small compared with the service’s own time', () => {
    const late = (k: number) => (k % 2 === 0 ? 60_000 : 40_000);
    expect(bottlenecks(exchanges(400, late, 2_000))).toHaveLength(1);
    expect(bottlenecks(exchanges(400, late, 80_000))).toEqual([]);
  });

  it('when its event loop is late most of the time', () => {
    const health = (at: number, eventLoopP50Us: number): JournalRecord => ({
      kind: 'health',
      at: us(at * 1_000_000),
      eventLoopP99Us: us(90_000),
      eventLoopP50Us: us(eventLoopP50Us),
      gcUs: us(0),
      backlog: 0,
    });
    const quick = exchanges(100, () => 10);
    expect(bottlenecks([...quick, health(1, 30_000), health(2, 40_000), health(3, 0)])).toEqual([
      { what: 'event-loop', us: 30_000, allowedUs: 20_000 },
    ]);
    expect(bottlenecks([...quick, health(1, 90_000), health(2, 100), health(3, 0)])).toEqual([]);
  });

  it('when the service seems slow only because the event loop is late', () => {
    const watched = (loopUs: number) =>
      [1, 2, 3].map((second): JournalRecord => {
        const at = us(second * 1_000_000);
        return { kind: 'health', at, eventLoopP50Us: us(loopUs), gcUs: us(0), backlog: 0 };
      });
    // The service answers in 5 ms, and its answers lie for 200 ms.
    const lying = exchanges(400, () => 100, 205_000);
    expect(bottlenecks([...lying, ...watched(200_000)])).toEqual([
      { what: 'event-loop', us: 200_000, allowedUs: 20_000 },
    ]);
    const late = exchanges(400, () => 150_000, 205_000);
    expect(bottlenecks([...late, ...watched(200_000)])?.map(({ what }) => what)).toEqual(['lag', 'event-loop']);
    // One that takes 205 ms itself hides a delay of 60 ms.
    expect(bottlenecks([...lying, ...watched(60_000)])).toEqual([]);
  });

  it('when it stood still for a quarter of the time, although its users sent little then, and its median is low', () => {
    const quick = exchanges(100, () => 10);
    const health = (at: number, eventLoopWaitUs: number, worker: number): JournalRecord => ({
      kind: 'health',
      ...{ at: us(at), eventLoopP50Us: us(100), eventLoopWaitUs: us(eventLoopWaitUs), gcUs: us(0), backlog: 0, worker },
    });
    // 2 s of 8 s: an answer comes then with a probability of a quarter, and waits a second on average.
    const stopped = [health(1e6, 0, 0), health(2e6, 0, 0), health(5e6, 666_667, 0), health(8e6, 0, 0)];
    expect(bottlenecks([...quick, ...stopped])).toEqual([{ what: 'standstill', us: 250_000, allowedUs: 20_000 }]);
    // The worst worker counts, not the mean of both.
    const other = [1, 2, 5, 8].map((at) => health(at * 1e6, 0, 1));
    expect(bottlenecks([...quick, ...stopped, ...other])).toMatchObject([{ what: 'standstill', us: 250_000 }]);
    expect(bottlenecks([...quick, health(1e6, 0, 0), health(2e6, 9_000, 0), health(3e6, 0, 0)])).toEqual([]);
    // Three intervals, but not three seconds: one hiccup of 0.4 s would decide.
    expect(bottlenecks([...quick, health(1e6, 0, 0), health(2e6, 80_000, 0), health(2.1e6, 0, 0)])).toEqual([]);
  });

  it('when it drops late arrivals because of noCatchUp', () => {
    const started = (count: number) =>
      Array.from(
        { length: count },
        (_, k): JournalRecord => ({
          kind: 'journey',
          arrival: k,
          journey: 'ask',
          startedAt: us(k),
          endedAt: us(k),
          outcome: (['completed', 'stopped', 'interrupted'] as const)[k % 3] ?? 'completed',
        }),
      );
    const drops = (count: number) =>
      Array.from(
        { length: count },
        (_, k): JournalRecord => ({
          kind: 'drop',
          intendedAt: us(k),
          arrival: 100 + k,
          journey: 'ask',
          reason: 'late',
        }),
      );
    // Of the arrivals after the warm-up, as the drops are; the run had five times as many.
    expect(bottlenecks([...exchanges(98, () => 10), ...started(98), ...drops(2)], allowed, 500)).toEqual([
      { what: 'late-drops', count: 2, of: 100, allowedShare: 0.01 },
    ]);
    expect(bottlenecks([...exchanges(99, () => 10), ...started(99), ...drops(1)], allowed, 100)).toEqual([]);
  });

  it('when its machine has no more files or ports', () => {
    const failed = exchange({ seq: 100, outcome: 'failed', failure: 'EMFILE' });
    const { status: _, headersAt: __, ...unanswered } = failed;
    expect(bottlenecks([...exchanges(10, () => 10), unanswered])).toEqual([
      { what: 'local-failure', failure: 'EMFILE', count: 1 },
    ]);
    expect(bottlenecks([unanswered])).toEqual([{ what: 'local-failure', failure: 'EMFILE', count: 1 }]);
  });

  it('is not reported without thresholds', () => {
    expect(summaryOf([header(), ...exchanges(400, () => 900_000)]).health.bottlenecks).toBeUndefined();
  });
});

it('a connection that the service broke is no bottleneck of the generator; one for which the machine had no port is', () => {
  const failed = (failure: string, seq: number) => exchange({ seq, outcome: 'failed', failure });
  const records = ['ECONNRESET', 'EADDRNOTAVAIL', 'ECONNREFUSED', 'EADDRNOTAVAIL'].map(failed);
  expect(bottlenecks(records)).toEqual([{ what: 'local-failure', failure: 'EADDRNOTAVAIL', count: 2 }]);
});
