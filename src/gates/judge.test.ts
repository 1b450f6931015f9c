import { describe, expect, it } from 'vitest';
import type { LimitVerdict } from '../check/index.ts';
import { accepted, end, exchange, header, poll, us } from '../testing/history/sample-records.ts';
import { rateVerdicts } from '../testing/rate-verdicts.ts';
import { judgeGates } from './judge.ts';
import { gate, judgedRun, reads, resultOf } from './judged.exam.ts';

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
      'bound(p(90))<=59.1',
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
    ['http_req_failed', 'bound(rate)>0', 'fail', 0, 'the bound of rate is 0 %: 0 of 60, not > 0 %'],
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

it.each([
  ['http_req_duration', 'avg<31', 'ms'],
  ['http_req_duration', 'med<31', 'ms'],
  ['http_req_failed', 'rate<0.01', 'share'],
  ['http_reqs', 'count>0', 'count'],
  ['http_reqs', 'rate>0', '1/s'],
])('%s: %s is judged in %s', (name, threshold, unit) => {
  expect(resultOf(gate(name, threshold), reads(60)).unit).toBe(unit);
});

it.each([
  ['<', 'fail', 'fail', 'pass'],
  ['<=', 'fail', 'pass', 'pass'],
  ['>', 'pass', 'fail', 'fail'],
  ['>=', 'pass', 'pass', 'fail'],
  ['==', 'fail', 'pass', 'fail'],
  ['!=', 'pass', 'fail', 'pass'],
])('%s holds for what is below, equal or above as it says', (operator, ...states) => {
  const nine = reads(9);
  expect([8, 9, 10].map((limit) => resultOf(gate('http_reqs', `count${operator}${limit}`), nine).state)).toEqual(
    states,
  );
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

describe('a limit gate', () => {
  const { violated, consistent, undecided } = rateVerdicts;

  it.each<[string, LimitVerdict[], string, string]>([
    ['held', [consistent], 'pass', 'the rate limit was reached, and nothing contradicts it'],
    ['held', [undecided], 'undetermined', 'whether the rate limit was kept is undecided (missing: a refusal)'],
    [
      'held',
      [undecided, { ...undecided, missing: ['a refusal', 'its reset'] }],
      'undetermined',
      'whether the rate limit was kept is undecided (missing: a refusal; its reset)',
    ],
    ['held', [violated], 'fail', 'the rate limit is violated: 41 in a minute'],
    ['held', [undecided, consistent], 'pass', 'the rate limit was reached, and nothing contradicts it'],
    ['held', [consistent, violated], 'fail', 'the rate limit is violated: 41 in a minute'],
    ['not violated', [undecided], 'pass', 'whether the rate limit was kept is undecided (missing: a refusal)'],
    ['not violated', [consistent], 'pass', 'the rate limit was reached, and nothing contradicts it'],
    ['not violated', [violated], 'fail', 'the rate limit is violated: 41 in a minute'],
  ])('%s of %o', (demand, verdicts, state, because) => {
    const one = gate('limit.rate', demand);
    const runs = verdicts.map((verdict) => judgedRun([one], reads(1), { limits: [verdict] }));
    expect(judgeGates({ gates: [one], unreadable: [] }, runs).gates[0]).toMatchObject({ state, because });
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
    expect(results[2]?.because).toBe('whether the daily limit was kept is undecided');
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
      complete: true,
      passed: false,
      gates: [
        {
          metric: 'of_tomorrow',
          expression: 'p(95)<3',
          state: 'undetermined',
          because: 'this version cannot read this gate',
          failsRun: true,
        },
      ],
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

describe('the bound of a share', () => {
  /** A minute of ten reads a second, of which these fail. */
  const minute = (fails: (seq: number) => boolean) => [
    header(),
    ...Array.from({ length: 600 }, (_, seq) => {
      const at = us(seq * 100_000);
      return exchange({ seq, intendedAt: at, sentAt: at, receivedAt: us(at + 1_000), status: fails(seq) ? 500 : 200 });
    }),
    end({ at: us(60_000_000), exchanges: 600 }),
  ];
  const below8 = gate('http_req_failed', 'bound(rate)<0.08');

  it('is exact where failures are spread evenly', () => {
    const spread = resultOf(
      below8,
      minute((seq) => seq % 20 === 0),
    );
    expect(spread).toMatchObject({ state: 'pass', bounds: { method: 'clopper-pearson' } });
    expect(spread.observed).toBeCloseTo(0.06721, 5);
  });

  it('is wider where failures come together, within a run and between runs', () => {
    const outage = minute((seq) => seq >= 300 && seq < 330);
    const one = resultOf(below8, outage);
    expect(one).toMatchObject({ state: 'fail', samples: 600, bounds: { method: 'batch-means' } });
    expect(one.observed).toBeCloseTo(0.2803, 4);
    expect(resultOf(gate('http_req_failed', 'rate<0.06'), outage)).toMatchObject({ state: 'pass', observed: 0.05 });
    const [good, bad] = [minute(() => false), minute((seq) => seq % 5 === 0)];
    const pooled = resultOf(below8, good, good, bad, good);
    expect(pooled).toMatchObject({ state: 'fail', samples: 2_400, bounds: { method: 'batch-means' } });
    expect(pooled.because).toContain('120 of 2,400');
  });
});
