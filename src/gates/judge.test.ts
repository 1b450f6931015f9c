import { describe, expect, it } from 'vitest';
import type { Millis } from '../base/index.ts';
import type { LimitVerdict } from '../check/index.ts';
import { MetricSeries } from '../collect/index.ts';
import type { JournalRecord } from '../history/index.ts';
import { type Gate, type GateOptions, parseGate, plainOptions } from '../metrics/index.ts';
import { accepted, end, exchange, header, poll, us } from '../testing/history/sample-records.ts';
import { rateVerdicts } from '../testing/rate-verdicts.ts';
import { type JudgedRun, judgeGates } from './judge.ts';
import { type GateResult, gateQueries } from './result.ts';
import { failingGate } from './watch.ts';

function gate(name: string, threshold: string, options: Partial<GateOptions> = {}): Gate {
  const parsed = parseGate(name, threshold, { ...plainOptions, ...options });
  if ('value' in parsed) return parsed.value;
  throw new Error(parsed.faults.map(({ message }) => message).join());
}

function judgedRun(
  gates: readonly Gate[],
  records: readonly JournalRecord[],
  more: Partial<JudgedRun> = {},
): JudgedRun {
  const series = new MetricSeries(gateQueries(gates.filter((one) => one.kind === 'metric')));
  for (const record of records) series.add(record);
  return { series, limits: [], ...more };
}

function resultOf(one: Gate, ...runs: (readonly JournalRecord[])[]): GateResult {
  const [result] = judgeGates(
    { gates: [one], unreadable: [] },
    runs.map((records) => judgedRun([one], records)),
  ).gates;
  if (!result) throw new Error('no result');
  return result;
}

/** A run with this number of reads, which took 1 ms, 2 ms, 3 ms, … and ended 0.1 s apart. */
const reads = (count: number, members: Parameters<typeof header>[0] = {}): JournalRecord[] => [
  header(members),
  ...Array.from({ length: count }, (_, seq) =>
    exchange({ seq, sentAt: us(seq * 100_000), receivedAt: us(seq * 100_000 + (seq + 1) * 1_000) }),
  ),
  end({ at: us(count * 100_000), exchanges: count }),
];
const failing = (seq: number) => exchange({ seq, outcome: 'failed', failure: 'ECONNRESET' });
const shares = (bad: number, good: number): JournalRecord[] => [
  header(),
  ...Array.from({ length: bad }, (_, seq) => failing(seq)),
  ...Array.from({ length: good }, (_, index) => exchange({ seq: bad + index })),
  end({ exchanges: bad + good }),
];

it('a highest delay is judged in milliseconds', () => {
  const interval = { kind: 'health', at: us(1_000_000), gcUs: us(0), backlog: 0 } as const;
  const delays = [header(), ...[1_500, 12_250].map((delay) => ({ ...interval, eventLoopP99Us: us(delay) })), end()];
  expect(resultOf(gate('event_loop_delay', 'value<12.3'), delays)).toMatchObject({
    state: 'pass',
    observed: 12.25,
    because: 'value is 12.25 ms',
  });
});

it('zero is a number like any other', () => {
  const idle = { kind: 'health', at: us(1_000_000), gcUs: us(0), backlog: 0, eventLoopP99Us: us(0) } as const;
  const noDelay = resultOf(gate('event_loop_delay', 'value<1'), [header(), idle, end()]);
  expect(noDelay).toMatchObject({ state: 'pass', observed: 0 });
  const instant = Array.from({ length: 20 }, (_, seq) => exchange({ seq, receivedAt: us(0) }));
  const med = resultOf(gate('http_req_duration', 'med<1'), [header(), ...instant, end({ exchanges: 20 })]);
  expect(med.bounds).toEqual({ low: 0, high: 0, method: 'order-statistics' });
});

it('a rate over zero time is undetermined, but a count is not', () => {
  const nothing = [header(), end({ at: us(0) })];
  expect(resultOf(gate('http_reqs', 'rate<5'), nothing)).toMatchObject({
    state: 'undetermined',
    because: 'no time was measured',
  });
  expect(resultOf(gate('http_reqs', 'count<5'), nothing)).toMatchObject({ state: 'pass', observed: 0 });
});

describe('each form of an expression', () => {
  const sixty = reads(60);
  it.each<[name: string, threshold: string, state: string, observed: number, because: string]>([
    ['http_req_duration', 'avg<31', 'pass', 30.5, 'avg is 30.5 ms of 60 samples'],
    ['http_req_duration', 'avg<30.5', 'fail', 30.5, 'avg is 30.5 ms of 60 samples, not < 30.5 ms'],
    ['http_req_duration', 'min>=1', 'pass', 1, 'min is 1 ms of 60 samples'],
    ['http_req_duration', 'p(0)==1', 'pass', 1, 'p(0) is 1 ms of 60 samples'],
    ['http_req_duration', 'max<=59.9', 'fail', 60, 'max is 60 ms of 60 samples, not <= 59.9 ms'],
    ['http_req_duration', 'p(100)!=60', 'fail', 60, 'p(100) is 60 ms of 60 samples, not != 60 ms'],
    ['http_req_duration', 'med<30.1', 'pass', 30.015, 'med is 30.015 ms of 60 samples (95 % bounds: 24'],
    ['http_req_duration', 'p(95)<57.1', 'pass', 57.023, 'p(95) is 57.023 ms of 60 samples (95 % bounds: 53.984 ms'],
    [
      'http_req_duration',
      'bound(p(95))<59.9',
      'fail',
      60,
      'the bound of p(95) is 60 ms of 60 samples (p(95) itself is 57.023 ms), not < 59.9 ms',
    ],
    [
      'http_req_duration',
      'bound(p(90))<59.1',
      'pass',
      59.007,
      'the bound of p(90) is 59.007 ms of 60 samples (p(90) itself is 54',
    ],
    ['http_req_duration', 'bound(med)>23', 'pass', 24, 'the bound of med is 24 ms of 60 samples'],
    ['http_reqs', 'count==60', 'pass', 60, 'count is 60'],
    ['http_reqs{operation:sendMessage}', 'count>0', 'fail', 0, 'count is 0, not > 0'],
    ['http_reqs', 'rate>10', 'fail', 10, 'rate is 10 a second, not > 10 a second'],
    ['http_req_failed', 'rate<0.01', 'pass', 0, 'rate is 0 %: 0 of 60 (95 % bounds: 0 % to 4.87 %)'],
    ['http_req_failed', 'bound(rate)<0.05', 'pass', 0.0487029, 'the bound of rate is 4.87 %: 0 of 60'],
    ['admitted_per_minute', 'value<=60', 'pass', 60, 'value is 60'],
    ['data_received', 'count<12000', 'fail', 12_000, 'count is 12,000 bytes, not < 12,000 bytes'],
    ['data_received', 'rate>3000', 'fail', 2_000, 'rate is 2,000 bytes a second, not > 3,000 bytes a second'],
  ])('%s: %s', (name, threshold, state, observed, because) => {
    const result = resultOf(gate(name, threshold), sixty);
    expect(result.because).toContain(because);
    expect(result).toMatchObject({ metric: name, expression: threshold, state, failsRun: state === 'fail' });
    // Percentiles come from a histogram, which is at most 0.1 % above the sample.
    expect(result.observed).toBeCloseTo(observed, 5);
  });
});

describe('too little data', () => {
  it.each<[what: string, name: string, threshold: string, records: JournalRecord[], expected: Partial<GateResult>]>([
    ['no samples', 'turn_completion', 'p(90)<8000', reads(3), { samples: 0, because: 'there are no samples' }],
    ['no shares', 'turn_failed', 'rate<0.1', reads(3), { samples: 0, because: 'there are no samples' }],
    ['nothing seen', 'open_turns', 'value<3', reads(3), { samples: 0, because: 'there are no samples' }],
    ['28 for the 90th', 'http_req_duration', 'p(90)<99', reads(28), { samples: 28, needed: 29, carries: 89.8 }],
    ['28 for its bound', 'http_req_duration', 'bound(p(90))<99', reads(28), { samples: 28, needed: 29, carries: 89.8 }],
    [
      '50 for the 95th',
      'http_req_duration',
      'p(95)<99',
      reads(50),
      {
        samples: 50,
        needed: 59,
        carries: 94.1,
        because: 'too few samples: 50, p(95) needs 59; these support at most p(94.1)',
      },
    ],
    ['58 for its bound', 'http_req_duration', 'bound(p(95))<99', reads(58), { samples: 58, needed: 59, carries: 94.9 }],
    ['4 for the median', 'http_req_duration', 'med<99', reads(4), { samples: 4, needed: 5, carries: 47.2 }],
    [
      '50 for the 5th',
      'http_req_duration',
      'p(5)>0.5',
      reads(50),
      {
        samples: 50,
        needed: 59,
        carries: 5.9,
        because: 'too few samples: 50, p(5) needs 59; these support at least p(5.9)',
      },
    ],
    [
      '50 for a share of 1 %',
      'http_req_failed',
      'bound(rate)<0.01',
      shares(0, 50),
      {
        samples: 50,
        needed: 299,
        because: 'too few samples: 50; even with none of them, a bound of 1 % needs 299',
      },
    ],
    [
      '58 for a share of 95 %',
      'checks',
      'bound(rate)>0.95',
      [header(), exchange({ seq: 0, expect: { checked: 58, unmet: [] } })],
      { samples: 58, needed: 59 },
    ],
  ])('%s is undetermined, and fails the run', (_, name, threshold, records, expected) => {
    expect(resultOf(gate(name, threshold), records)).toMatchObject({
      ...expected,
      state: 'undetermined',
      failsRun: true,
    });
    expect(resultOf(gate(name, threshold, { allowNoData: true }), records)).toMatchObject({ failsRun: false });
  });

  it.each<[string, string, JournalRecord[], string]>([
    ['http_req_duration', 'p(90)<99', reads(29), 'pass'],
    ['http_req_duration', 'bound(p(95))<99', reads(59), 'pass'],
    // A lower bound of a high percentile needs few samples.
    ['http_req_duration', 'bound(p(95))>0.5', reads(5), 'pass'],
    ['http_req_failed', 'bound(rate)<0.01', shares(0, 299), 'pass'],
    // If the share itself fails, more samples would not help.
    ['http_req_failed', 'bound(rate)<0.01', shares(5, 45), 'fail'],
    ['http_req_failed', 'bound(rate)<0.05', shares(10, 290), 'fail'],
    // 59 samples are as many as it takes, but one of them failed.
    ['http_req_failed', 'bound(rate)<0.05', shares(1, 57), 'undetermined'],
    ['http_req_failed', 'bound(rate)<0.05', shares(1, 58), 'fail'],
    ['dropped_iterations', 'count<1', reads(1), 'pass'],
  ])('%s: %s can be told of as many as it takes', (name, threshold, records, state) => {
    expect(resultOf(gate(name, threshold), records).state).toBe(state);
  });

  it('in one run may be enough in two', () => {
    const p95 = gate('http_req_duration', 'p(95)<99');
    expect(resultOf(p95, reads(50)).state).toBe('undetermined');
    const together = resultOf(p95, reads(50), reads(50, { runId: 'run-2' }));
    expect(together).toMatchObject({ state: 'pass', samples: 100 });
    const document = judgeGates({ gates: [p95], unreadable: [] }, [
      judgedRun([p95], reads(50)),
      judgedRun([p95], reads(50, { runId: 'run-2' }).slice(0, -1)),
    ]);
    expect(document).toMatchObject({ runs: ['run-1', 'run-2'], complete: false, passed: true });
  });

  it('is reported for dense samples if intervals differ too much for a bound', () => {
    // Ten intervals, of which the whole last one is slow: the samples do not show how often that happens.
    const dense = [
      header(),
      ...Array.from({ length: 1_000 }, (_, seq) => {
        const slow = seq >= 900 ? 500_000 : 1_000;
        return exchange({ seq, sentAt: us(seq * 10_000), receivedAt: us(seq * 10_000 + slow + (seq % 7)) });
      }),
      end({ exchanges: 1_000, at: us(10_500_000) }),
    ];
    const result = resultOf(gate('http_req_duration', 'bound(p(90))<400'), dense);
    expect(result).toMatchObject({ state: 'undetermined', samples: 1_000, bounds: { method: 'batch-means' } });
    expect(result.because).toBe('latency varies so much over time that these 1,000 samples do not bound p(90)');
    expect(resultOf(gate('http_req_duration', 'p(80)<400'), dense).state).toBe('pass');
  });
});

it('fast connection failures do not make a service look fast', () => {
  const broken = Array.from({ length: 60 }, (_, seq) => {
    const { status: _s, headersAt: _h, ...unanswered } = exchange({ seq, receivedAt: us(1_000) });
    return { ...unanswered, outcome: 'failed', failure: 'ECONNRESET' } as const;
  });
  const slow = Array.from({ length: 20 }, (_, k) => exchange({ seq: 60 + k, receivedAt: us(800_000) }));
  const records = [header(), ...broken, ...slow, end({ exchanges: 80 })];
  expect(resultOf(gate('http_req_duration', 'med<300'), records)).toMatchObject({ state: 'fail', samples: 20 });
  expect(resultOf(gate('http_req_duration{outcome:failed}', 'med<300'), records)).toMatchObject({ samples: 60 });
});

describe('windows', () => {
  /** Ten reads per second for 20 s; those in seconds 8 and 9 take 300 ms, the others 10 ms. */
  const spell = [
    header(),
    ...Array.from({ length: 200 }, (_, seq) => {
      const took = seq >= 80 && seq < 100 ? 300_000 : 10_000;
      return exchange({ seq, sentAt: us(seq * 100_000), receivedAt: us(seq * 100_000 + took) });
    }),
    end({ at: us(20_000_000), exchanges: 200 }),
  ];
  const windowed = (threshold: string, window: number, name = 'http_req_duration') =>
    resultOf(gate(name, threshold, { window: window as Millis }), spell);

  it('detect a slow period that the whole run hides', () => {
    expect(resultOf(gate('http_req_duration', 'p(80)<100'), spell).state).toBe('pass');
    const result = windowed('med<100', 3_000);
    expect(result).toMatchObject({
      state: 'fail',
      windows: { lengthMs: 3_000, judged: 18, failed: 2, firstFailed: { fromUs: 7_000_000, toUs: 10_000_000 } },
    });
    expect(result.because).toContain(
      'in 2 of 18 windows of 3.00 s, first from 7.00 s to 10.0 s: med is 300 ms of 27 samples',
    );
  });

  it('fail in words that fit a single window', () => {
    const brief = [...spell.slice(0, -1), end({ at: us(5_400_000), exchanges: spell.length - 2 })];
    expect(resultOf(gate('http_reqs', 'rate<3', { window: 5_000 as Millis }), brief).because).toMatch(
      /^in the only window of 5\.00 s, from 0 ms to 5\.00 s: rate is [\d.]+ a second, not < 3 a second$/,
    );
  });

  it('count only windows with samples as those with too few', () => {
    const sparse = (took: number, others: number) => [
      header(),
      ...Array.from({ length: 40 }, (_, seq) =>
        exchange({ seq, sentAt: us(seq * 10_000), receivedAt: us(seq * 10_000 + took) }),
      ),
      ...Array.from({ length: others }, (_, k) => {
        const at = 3_100_000 + k * 100_000;
        return exchange({ seq: 40 + k, sentAt: us(at), receivedAt: us(at + took) });
      }),
      end({ at: us(8_000_000), exchanges: 40 + others }),
    ];
    const p90 = gate('http_req_duration', 'p(90)<500', { window: 1_000 as Millis });
    const passing = resultOf(p90, sparse(5_000, 3));
    expect(passing.windows).toEqual({ lengthMs: 1_000, judged: 1, failed: 0, tooFew: 1 });
    expect(passing.because).toMatch(
      /^in 1 window of 1\.00 s \(1 more have too few samples\), p\(90\) is 5 ms of 40 samples/,
    );
    const failingOne = resultOf(gate('http_req_duration', 'p(90)<1', { window: 1_000 as Millis }), sparse(5_000, 3));
    expect(failingOne.because).toMatch(
      /^in the only window of 1\.00 s with enough samples, from 0 ms to 1\.00 s: p\(90\)/,
    );
    const none = resultOf(gate('turn_completion', 'med<500', { window: 1_000 as Millis }), sparse(5_000, 0));
    expect(none).toMatchObject({ state: 'undetermined', windows: { judged: 0, tooFew: 0 } });
    expect(none.because).toBe('none of the windows of 1.00 s can be judged; the fullest: there are no samples');
  });

  it('tell one failed window of many from an only one', () => {
    const slowSecond = gate('http_req_duration', 'med<100', { window: 1_000 as Millis });
    const brief = spell.slice(0, 91);
    expect(resultOf(slowSecond, [...brief, end({ at: us(9_100_000), exchanges: 90 })]).because).toMatch(
      /^in 1 of 9 windows of 1\.00 s, first from 8\.00 s to 9\.00 s: /,
    );
  });

  it('say which of several runs failed first', () => {
    const calm = reads(90, { runId: 'run-0' });
    const slowOne = gate('http_req_duration', 'med<100', { window: 3_000 as Millis });
    const result = resultOf(slowOne, calm, spell);
    expect(result.because).toMatch(/^in 2 of \d+ windows of 3\.00 s, first in run 2 of 2, from 7\.00 s to 10\.0 s: /);
    expect(result.windows?.firstFailed).toEqual({ fromUs: 7_000_000, toUs: 10_000_000, runId: 'run-1' });
  });

  it('pass if all windows that can be judged pass', () => {
    expect(windowed('med<400', 4_000)).toMatchObject({ state: 'pass', windows: { judged: 17, failed: 0, tooFew: 0 } });
    expect(windowed('rate>9', 5_000, 'http_reqs').because).toMatch(
      /^in all \d+ windows of 5.00 s; in the last, rate is 10 a second$/,
    );
    const brief = [...spell.slice(0, -1), end({ at: us(5_400_000), exchanges: spell.length - 2 })];
    expect(resultOf(gate('http_reqs', 'rate>0', { window: 5_000 as Millis }), brief).because).toMatch(
      /^in 1 window of 5.00 s, rate is [\d.]+ a second$/,
    );
  });

  it('are undetermined if the windows that can be judged have less than half of the samples', () => {
    const quick = Array.from({ length: 40 }, (_, seq) =>
      exchange({ seq, sentAt: us(seq * 10_000), receivedAt: us(seq * 10_000 + 8_000) }),
    );
    const slow = Array.from({ length: 48 }, (_, k) =>
      exchange({ seq: 40 + k, sentAt: us(1_000_000 + k * 125_000), receivedAt: us(1_800_000 + k * 125_000) }),
    );
    const records = [header(), ...quick, ...slow, end({ at: us(8_000_000), exchanges: 88 })];
    const result = resultOf(gate('http_req_duration', 'p(90)<500', { window: 1_000 as Millis }), records);
    expect(result).toMatchObject({ state: 'undetermined', windows: { judged: 1, failed: 0, tooFew: 7 } });
    expect(result.because).toContain(
      'only 1 of the 8 windows of 1.00 s can be judged; the fullest of the others: too few samples: 8, p(90) needs',
    );
  });

  it('say that a stage is too short for a window, and not that the run is', () => {
    const stages = [
      { name: 'calm', fromUs: us(0), toUs: us(2_000_000) },
      { name: 'peak', fromUs: us(2_000_000), toUs: us(9_000_000) },
    ];
    const inCalm = gate('http_req_duration{stage:calm}', 'med<400', { window: 3_000 as Millis });
    expect(resultOf(inCalm, reads(90, { stages }))).toMatchObject({
      state: 'undetermined',
      because: 'no window of 3.00 s that ends at a whole second lies within what was measured of the stage calm',
    });
  });

  it('are undetermined if no window has enough samples or none is within the run', () => {
    const short = windowed('p(95)<400', 4_000);
    expect(short).toMatchObject({ state: 'undetermined', needed: 59, samples: 43, windows: { judged: 0 } });
    expect(short.because).toContain(
      'none of the windows of 4.00 s can be judged; the fullest: too few samples: 43, p(95) needs 59',
    );
    expect(windowed('med<400', 30_000)).toMatchObject({
      state: 'undetermined',
      because: 'no window of 30.0 s that ends at a whole second lies within what was measured of the run',
    });
  });

  it('do not call a run shorter than a window that only contains no window between whole seconds', () => {
    const untilHalfPastNine = reads(95, { warmUpUs: us(4_500_000) });
    expect(
      resultOf(gate('http_req_duration', 'med<400', { window: 5_000 as Millis }), untilHalfPastNine),
    ).toMatchObject({
      state: 'undetermined',
      because: 'no window of 5.00 s that ends at a whole second lies within what was measured of the run',
    });
  });
});

describe('a limit gate', () => {
  const { violated, consistent, undecided } = rateVerdicts;

  it.each<[string, LimitVerdict[], string, string]>([
    ['held', [consistent], 'pass', 'the rate limit was reached and kept'],
    ['held', [undecided], 'undetermined', 'whether the rate limit was kept is undecided (missing: a refusal)'],
    ['held', [violated], 'fail', 'the rate limit is violated: 41 in a minute'],
    ['held', [undecided, consistent], 'pass', 'the rate limit was reached and kept'],
    ['held', [consistent, violated], 'fail', 'the rate limit is violated: 41 in a minute'],
    ['not violated', [undecided], 'pass', 'whether the rate limit was kept is undecided (missing: a refusal)'],
    ['not violated', [consistent], 'pass', 'the rate limit was reached and kept'],
    ['not violated', [violated], 'fail', 'the rate limit is violated: 41 in a minute'],
  ])('%s of %o', (demand, verdicts, state, because) => {
    const one = gate('limit.rate', demand);
    const runs = verdicts.map((verdict) => judgedRun([one], reads(1), { limits: [verdict] }));
    expect(judgeGates({ gates: [one], unreadable: [] }, runs).gates[0]).toMatchObject({ state, because });
  });
});

describe('a gate that ends the run', () => {
  const slow = gate('http_req_duration', 'med<3', { abortOnFail: true, delayAbortEval: 500 as Millis });
  const aborting = slow.kind === 'metric' ? [slow] : [];
  const watching = (records: readonly JournalRecord[], at: number) =>
    failingGate(aborting, judgedRun(aborting, records).series, us(at));

  it('is found during the run, once its delay has passed and it has enough samples', () => {
    expect(watching(reads(9).slice(0, -1), 1_000_000)).toBe(slow);
    expect(watching(reads(9).slice(0, -1), 500_000)).toBe(slow);
    expect(watching(reads(9).slice(0, -1), 499_999)).toBeUndefined();
    expect(watching(reads(4).slice(0, -1), 1_000_000)).toBeUndefined();
  });

  it('checks only the last window', () => {
    const busy = gate('http_reqs', 'rate<5', { abortOnFail: true, window: 2_000 as Millis });
    const gates = busy.kind === 'metric' ? [busy] : [];
    const { series } = judgedRun(gates, reads(40).slice(0, -1));
    expect(failingGate(gates, series, us(4_100_000))).toBe(busy);
    expect(failingGate(gates, series, us(1_900_000))).toBeUndefined();
    expect(failingGate(gates, series, us(7_100_000))).toBeUndefined();
  });

  it('is judged by its own samples, not by those of another gate', () => {
    const second = { abortOnFail: true, window: 1_000 as Millis } as const;
    const windowed = gate('http_req_duration', 'med<3', second);
    const gates = [
      gate('http_reqs', 'count>0', { abortOnFail: true }),
      gate('http_reqs{operation:sendMessage}', 'rate<1', second),
      gate('http_reqs{operation:sendMessage}', 'count>0', { abortOnFail: true }),
      windowed,
    ].filter((one) => one.kind === 'metric');
    const found = (...wanted: readonly number[]) => {
      const watched = gates.filter((_, index) => wanted.includes(index));
      return failingGate(watched, judgedRun(watched, reads(12).slice(0, -1)).series, us(1_100_000));
    };
    expect(found(0, 1)).toBeUndefined();
    expect(found(0, 2)).toBe(gates[2]);
    expect(found(1, 3)).toBe(windowed);
  });

  it('is told of every run that it ended, and where it no longer can be judged', () => {
    const failed = gate('http_req_duration', 'med<3', { abortOnFail: true, window: 1_000 as Millis });
    const [told] = judgeGates({ gates: [failed], unreadable: [] }, [
      judgedRun([failed], reads(4)),
      judgedRun([failed], reads(4, { runId: 'run-2' }), { stoppedBy: 'http_req_duration: med<3 in windows of 1 s' }),
    ]).gates;
    expect(told).toMatchObject({ state: 'fail', stoppedRun: true, failsRun: true });
    expect(told?.because).toMatch(/^failed during the run and ended it; at the end: no window of 1.00 s that ends/);
  });

  it('counts as failed, whatever the rest of the run shows', () => {
    const records = [
      ...reads(9).slice(0, -1),
      ...Array.from({ length: 90 }, (_, i) => exchange({ seq: 9 + i, sentAt: us(i) })),
    ];
    const document = judgeGates({ gates: [slow], unreadable: [] }, [
      judgedRun([slow], records, { stoppedBy: 'http_req_duration: med<3' }),
    ]);
    expect(document.gates[0]).toMatchObject({ state: 'fail', stoppedRun: true, failsRun: true });
    expect(document.gates[0]?.because).toContain('failed during the run and ended it; at the end: med is 1 ms');
  });

  it.each([
    ['http_req_duration: med<3 in windows of 2 s', [undefined, undefined, true, undefined]],
    ['http_req_duration: med<3 in windows of 3 s', [undefined, undefined, undefined, true]],
    ['http_req_duration: med<3', [undefined, true, undefined, undefined]],
  ])('only the gate itself counts as stopping, not others with its requirement: %s', (stoppedBy, stopped) => {
    const gates = [
      gate('http_req_duration', 'med<3'),
      slow,
      gate('http_req_duration', 'med<3', { abortOnFail: true, window: 2_000 as Millis }),
      gate('http_req_duration', 'med<3', { abortOnFail: true, window: 3_000 as Millis }),
    ];
    const records = Array.from({ length: 90 }, (_, i) => exchange({ seq: i, sentAt: us(i) }));
    const document = judgeGates({ gates, unreadable: [] }, [
      judgedRun(gates, [header(), ...records, end({ exchanges: 90 })], { stoppedBy }),
    ]);
    expect(document.gates.map(({ stoppedRun }) => stoppedRun)).toEqual(stopped);
    expect(document.gates[0]).toMatchObject({
      state: 'pass',
      because: 'med is 1 ms of 90 samples (95 % bounds: 1 ms to 1 ms)',
    });
  });

  it('finds a windowed gate in a journal that names no window', () => {
    const windowed = gate('http_req_duration', 'med<3', { abortOnFail: true, window: 2_000 as Millis });
    const document = judgeGates({ gates: [windowed], unreadable: [] }, [
      judgedRun([windowed], reads(40), { stoppedBy: 'http_req_duration: med<3' }),
    ]);
    expect(document.gates[0]?.stoppedRun).toBe(true);
  });
});

describe('the document', () => {
  it('judges each gate by its own samples, in the order of the gates', () => {
    const gates = [
      gate('limit.rate', 'held'),
      gate('http_reqs', 'count==9'),
      gate('limit.daily', 'held'),
      gate('http_req_duration', 'max<=9'),
    ];
    const { gates: results } = judgeGates({ gates, unreadable: [] }, [
      judgedRun(gates, reads(9), { limits: [rateVerdicts.consistent] }),
    ]);
    expect(results.map(({ metric, state, observed }) => [metric, state, observed])).toEqual([
      ['limit.rate', 'pass', undefined],
      ['http_reqs', 'pass', 9],
      ['limit.daily', 'undetermined', undefined],
      ['http_req_duration', 'pass', 9],
    ]);
  });

  it('tells gates that cannot be read, and fails because of them', () => {
    const document = judgeGates({ gates: [], unreadable: [{ name: 'of_tomorrow', demand: 'p(95)<3' }] }, [
      judgedRun([], reads(1)),
    ]);
    expect(document).toMatchObject({
      passed: false,
      gates: [{ metric: 'of_tomorrow', expression: 'p(95)<3', state: 'undetermined', failsRun: true }],
    });
  });

  it('passes without gates, and tells an incomplete history', () => {
    const document = judgeGates({ gates: [], unreadable: [] }, [judgedRun([], reads(1).slice(0, -1))]);
    expect(document).toEqual({
      format: 'spillway-gates',
      version: 1,
      runs: ['run-1'],
      complete: false,
      passed: true,
      gates: [],
    });
  });

  it('counts turns as polls told them', () => {
    const turns = Array.from({ length: 5 }, (_, i) => [
      accepted(2 * i, `t${i}`, 0, 1_000),
      poll(2 * i + 1, `t${i}`, 'completed', 9_000, 11_000),
    ]).flat();
    const records = [header(), ...turns, end({ exchanges: 10 })];
    expect(resultOf(gate('turn_completion{by:poll}', 'med<11'), records)).toMatchObject({
      state: 'pass',
      observed: 10,
    });
    expect(resultOf(gate('turn_completion{bound:longest}', 'med<11'), records)).toMatchObject({
      state: 'fail',
      observed: 11,
    });
  });
});
