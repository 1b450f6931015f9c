import { describe, expect, it } from 'vitest';
import type { Millis } from '../base/index.ts';
import type { TrendSamples } from '../collect/index.ts';
import type { Exchange, JournalRecord } from '../history/index.ts';
import { end, exchange, header, us } from '../testing/history/sample-records.ts';
import { judgeReading } from './judge-reading.ts';
import { gate, judgedRun, resultOf } from './judged.exam.ts';
import { failingGate } from './watch.ts';

/** 100 reads of 10 ms, one a second; of the last ones, so many took 310 ms, and may have been read 300 ms late. */
const run = (late: number, members: { readonly readLateUs?: number; readonly lagUs?: number }): JournalRecord[] => [
  header(),
  ...Array.from({ length: 100 }, (_, seq) => {
    const intendedAt = us(seq * 1_000_000);
    if (seq < 100 - late) return exchange({ seq, intendedAt, sentAt: intendedAt, receivedAt: us(intendedAt + 10_000) });
    const { readLateUs, lagUs = 0 } = members;
    const sentAt = us(intendedAt + lagUs);
    const receivedAt = us(intendedAt + 310_000);
    return exchange({
      seq,
      intendedAt,
      sentAt,
      receivedAt,
      ...(readLateUs !== undefined && { readLateUs: us(readLateUs) }),
    });
  }),
  end({ at: us(101_000_000), exchanges: 100 }),
];
const still = { readLateUs: 300_000 };

it('a gate that fails only by what the generator may have added is undetermined', () => {
  expect(resultOf(gate('http_req_duration', 'max<100'), run(1, still))).toMatchObject({
    state: 'undetermined',
    failsRun: true,
    observed: 310,
    because:
      'max is 310 ms of 100 samples, not < 100 ms; but the generator stood still and may have delayed 1 of these by itself; without that the gate would pass',
  });
  expect(resultOf(gate('http_req_duration', 'p(95)<100'), run(30, still)).state).toBe('undetermined');
  expect(resultOf(gate('http_req_duration', 'max>100'), run(1, still)).because).toMatch(
    /without that the gate would fail$/,
  );
});

it('what is the same either way is decided', () => {
  const stateOf = (demand: string, records: JournalRecord[]) =>
    resultOf(gate('http_req_duration', demand), records).state;
  expect(stateOf('max<9', run(1, still))).toBe('fail');
  expect(stateOf('med<100', run(30, still))).toBe('pass');
  expect(stateOf('max<100', run(1, {}))).toBe('fail');
  expect(stateOf('max<100', run(1, { readLateUs: 100_000 }))).toBe('fail');
});

it('the response time is measured from when the request was due, which the generator may have missed', () => {
  const late = run(1, { lagUs: 300_000 });
  expect(resultOf(gate('response_time', 'max<100'), late).state).toBe('undetermined');
  expect(resultOf(gate('http_req_duration', 'max<100'), late).state).toBe('pass');
  // Both: it left 150 ms late, and was read 150 ms late.
  expect(resultOf(gate('response_time', 'max<100'), run(1, { lagUs: 150_000, readLateUs: 150_000 })).state).toBe(
    'undetermined',
  );
  expect(resultOf(gate('response_time', 'max<100'), run(1, { lagUs: 19_999 })).state).toBe('fail');
});

describe('a response time contains all that the generator added before the request left', () => {
  const MS = 1_000;
  const judged = (...exchanges: readonly Exchange[]) =>
    resultOf(gate('response_time', 'max<60'), [
      header(),
      ...exchanges,
      end({ at: us(2_000 * MS), exchanges: exchanges.length }),
    ]).state;
  const sent = (seq: number, intendedMs: number, sentMs: number, connectionMs = 0) =>
    exchange({
      ...{
        seq,
        arrival: seq,
        intendedAt: us(intendedMs * MS),
        sentAt: us(sentMs * MS),
        receivedAt: us((sentMs + 30) * MS),
      },
      ...(connectionMs > 0 && { capWaitUs: { connection: us(connectionMs * MS) } }),
    });
  /** Read after a standstill from 100 to 500 ms, as 30 ms are the service's own. */
  const stood = exchange({
    seq: 0,
    intendedAt: us(70 * MS),
    sentAt: us(70 * MS),
    receivedAt: us(500 * MS),
    readLateUs: us(400 * MS),
  });

  it('a connection that another request gave back late', () => {
    const waited = sent(1, 80, 500, 420);
    expect(judged(stood, waited)).toBe('undetermined');
    expect(judged(waited)).toBe('fail');
  });

  it('the queue of those that were due meanwhile and left at once', () => {
    const [late, behindIt] = [sent(1, 450, 530, 30), sent(2, 510, 560, 50)];
    expect(judged(stood, late)).toBe('undetermined');
    expect(judged(stood, late, sent(2, 525, 560, 35))).toBe('undetermined');
    expect(judged(stood, behindIt)).toBe('fail');
    // It began to wait when the last of them had left.
    expect(judged(stood, late, sent(2, 531, 566, 35))).toBe('fail');
    // Longer than a standstill of 400 ms explains.
    expect(judged(stood, late, sent(2, 525, 995, 470))).toBe('fail');
  });

  it('a poll', () => {
    const poll = exchange({ ...sent(1, 200, 500), operation: 'readTurn' });
    expect(judged(stood, poll)).toBe('undetermined');
    expect(judged(exchange({ ...sent(0, 100, 470), arrival: 1 }), poll)).toBe('fail');
  });

  it('but not what the service itself needed meanwhile', () => {
    const slow = exchange({ ...sent(1, 80, 80), receivedAt: us(600 * MS) });
    expect(judged(stood, slow)).toBe('fail');
  });
});

it('so is a gate over several runs, or over windows', () => {
  const max = gate('http_req_duration', 'max<100');
  for (const runs of [
    [run(0, {}), run(1, still)],
    [run(1, still), run(0, {})],
    [run(1, still), run(2, still)],
  ])
    expect(resultOf(max, ...runs).state).toBe('undetermined');
  expect(resultOf(max, run(1, still), run(1, {})).state).toBe('fail');
  const windowed = gate('http_req_duration', 'max<100', { window: 10_000 as Millis });
  expect(resultOf(windowed, run(1, still))).toMatchObject({
    state: 'undetermined',
    because: expect.stringMatching(/^from 90.0 s to 1 min 40 s: max is 310 ms of .*; but the generator stood still/),
  });
  expect(resultOf(windowed, run(1, {})).state).toBe('fail');
});

it('a share with too few samples in one window is not one that the generator may have delayed', () => {
  const rate = gate('http_req_failed', 'bound(rate)<0.1', { window: 1_000 as Millis });
  // 100 requests in the first second, 5 in the second one.
  const records = Array.from({ length: 105 }, (_, seq) => {
    const at = seq < 100 ? seq * 9_900 : 1_000_000 + (seq - 100) * 100_000;
    return exchange({ seq, intendedAt: us(at), sentAt: us(at), receivedAt: us(at + 100) });
  });
  expect(resultOf(rate, [header(), ...records, end({ at: us(2_000_000), exchanges: 105 })])).toMatchObject({
    state: 'pass',
    windows: { judged: 1, failed: 0, tooFew: 1 },
  });
});

describe('a bound', () => {
  /** 400 reads of 10 ms, ten a second. Of every ten, one takes longer. @param late which of them, and how much of that the generator may have added */
  const spells = (slowUs: (seq: number) => number, late: (seq: number) => number | undefined): JournalRecord[] => [
    header(),
    ...Array.from({ length: 400 }, (_, seq) => {
      const readLateUs = late(seq);
      const at = us(seq * 100_000);
      return exchange({
        seq,
        intendedAt: at,
        sentAt: at,
        receivedAt: us(at + slowUs(seq)),
        ...(readLateUs !== undefined && { readLateUs: us(readLateUs) }),
      });
    }),
    end({ at: us(40_100_000), exchanges: 400 }),
  ];

  it('does not end a run that it fails, if the samples may go on to pass it without what the generator added', () => {
    const bounded = gate('http_req_duration', 'bound(p(90))<100', { abortOnFail: true });
    const gates = bounded.kind === 'metric' ? [bounded] : [];
    // 36 of 400 are slow: the 90th percentile is at most that, with 95 % confidence, and may be less. 60 more are read late.
    const isSlow = (seq: number) => seq % 11 === 0;
    const isLate = (seq: number) => seq % 6 === 1 && !isSlow(seq);
    const run = (ownUs: number) =>
      spells(
        (seq) => (isLate(seq) ? 310_000 : isSlow(seq) ? 150_000 : 10_000),
        (seq) => (isLate(seq) ? 310_000 - ownUs : undefined),
      );
    const endedBy = (records: readonly JournalRecord[]) =>
      failingGate(gates, judgedRun(gates, records.slice(0, -1)).series, us(40_000_000));
    expect(resultOf(bounded, run(10_000)).state).toBe('fail');
    expect(endedBy(run(10_000))).toBeUndefined();
    expect(endedBy(run(150_000))).toBe(bounded);
  });

  it('that fails only with what the generator may have added, and is unknown without, is undetermined', () => {
    const samples = (highUs: number | undefined): TrendSamples => ({
      count: 400,
      min: us(10_000),
      mean: 50_000,
      max: us(300_000),
      at: () => us(50_000),
      bounds: () => ({ method: 'batch-means', ...(highUs !== undefined && { highUs: us(highUs) }) }),
    });
    const judged = (threshold: string, measuredUs: number) => {
      const one = gate('http_req_duration', threshold);
      if (one.kind !== 'metric') throw new TypeError();
      const earliest = { samples: samples(undefined), late: 60 };
      return judgeReading(one, { type: 'trend', samples: samples(measuredUs), earliest });
    };
    expect(judged('bound(p(90))<100', 300_000)).toMatchObject({
      state: 'undetermined',
      because: expect.stringMatching(/may have delayed 60 of these by itself; without that they would decide nothing$/),
    });
    expect(judged('bound(p(90))<400', 300_000).state).toBe('pass');
  });
});
