import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../history/index.ts';
import { end, exchange, header, us } from '../testing/history/sample-records.ts';
import { judgeGates } from './judge.ts';
import { gate, judgedRun, reads, resultOf } from './judged.exam.ts';
import type { GateResult } from './result.ts';

const failing = (seq: number) => exchange({ seq, outcome: 'failed', failure: 'ECONNRESET' });
const shares = (bad: number, good: number): JournalRecord[] => [
  header(),
  ...Array.from({ length: bad }, (_, seq) => failing(seq)),
  ...Array.from({ length: good }, (_, index) => exchange({ seq: bad + index })),
  end({ exchanges: bad + good }),
];

describe('too little data', () => {
  it.each<[what: string, name: string, threshold: string, records: JournalRecord[], expected: Partial<GateResult>]>([
    ['no samples', 'turn_completion', 'p(90)<8000', reads(3), { samples: 0, because: 'there are no samples' }],
    ['no shares', 'turn_failed', 'rate<0.1', reads(3), { samples: 0, because: 'there are no samples' }],
    ['nothing seen', 'open_turns', 'value<3', reads(3), { samples: 0, because: 'there are no samples' }],
    ['no delay', 'event_loop_delay', 'value<3', reads(3), { samples: 0, because: 'there are no samples' }],
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
        unit: 'share',
        needed: 299,
        because: 'too few samples: 50; even with none of them, a bound of 1 % needs 299',
      },
    ],
    [
      '58 for a share of 95 %',
      'checks',
      'bound(rate)>0.95',
      [header(), exchange({ seq: 0, expect: { checked: 58, unmet: [] } })],
      { needed: 59, because: 'too few samples: 58; even with all of them, a bound of 95 % needs 59' },
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

  it('leaves out the end of the bounds that it does not carry', () => {
    expect(resultOf(gate('http_req_duration', 'bound(p(95))>0.5'), reads(5)).bounds).toEqual({
      low: 4,
      method: 'order-statistics',
    });
    expect(resultOf(gate('http_req_duration', 'bound(p(5))<9'), reads(5)).bounds).toEqual({
      high: 2,
      method: 'order-statistics',
    });
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
    expect(result.because).toBe(
      'latency varies over time, if only by chance: these 1,000 samples may be worth fewer than the 29 independent ones that the bound of p(90) needs',
    );
    expect(resultOf(gate('http_req_duration', 'p(80)<400'), dense).state).toBe('pass');
  });
});
