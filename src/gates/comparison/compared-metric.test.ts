import { describe, expect, it } from 'vitest';
import { metricNames } from '../../metrics/index.ts';
import { failed, latency, metric } from './compared.exam.ts';
import { comparedMetric, comparedValue, printCompared } from './compared-metric.ts';

it('of each metric it is known which way is worse', () => {
  const lower = metricNames.filter(
    (name) => comparedMetric({ metric: name, tags: {} }, { of: 'med' }).worse === 'lower',
  );
  expect(lower).toEqual(['http_reqs', 'iterations', 'checks', 'data_sent', 'data_received']);
});

it.each([
  [{ outcome: 'success' }, 'lower'],
  [{ outcome: 'completed' }, 'lower'],
  [{ status: '202' }, 'lower'],
  [{ status: '299' }, 'lower'],
  [{ operation: 'sendMessage' }, 'lower'],
  [{ outcome: 'error' }, 'higher'],
  [{ outcome: 'refused' }, 'higher'],
  [{ outcome: 'failed' }, 'higher'],
  [{ outcome: 'censored' }, 'higher'],
  [{ outcome: 'stopped' }, 'higher'],
  [{ outcome: 'interrupted' }, 'higher'],
  [{ status: '300' }, 'higher'],
  [{ status: '503' }, 'higher'],
] as const)('of requests and journeys chosen by %j it is worse if the number is %s', (tags, worse) => {
  expect(comparedMetric({ metric: 'http_reqs', tags }, { of: 'count' }).worse).toBe(worse);
});

describe('the number of one run', () => {
  const trend = {
    count: 28,
    min: 1_000,
    mean: 2_500,
    max: 9_000,
    at: (percent: number) => percent * 100,
    bounds: () => ({ method: 'order-statistics' }),
  };
  const reading = { type: 'trend', samples: trend } as never;

  it.each([
    ['med', 5],
    ['avg', 2.5],
    ['min', 1],
    ['max', 9],
  ] as const)('%s', (of, value) => {
    expect(comparedValue(metric('http_req_duration', of), reading)).toBe(value);
  });

  it('is none where its samples do not carry it', () => {
    const p90 = comparedMetric({ metric: 'turn_completion', tags: { by: 'poll' } }, { of: 'percentile', percent: 90 });
    expect(printCompared(p90)).toBe('turn_completion{by:poll}: p(90)');
    expect(comparedValue(p90, { type: 'trend', samples: { ...trend, count: 9 } } as never)).toBeUndefined();
    expect(comparedValue(p90, { type: 'trend', samples: { ...trend, count: 10 } } as never)).toBe(9);
    expect(comparedValue(latency, { type: 'trend', samples: { ...trend, count: 1 } } as never)).toBe(5);
    expect(comparedValue(latency, { type: 'trend' })).toBeUndefined();
    const atPercent = (percent: number, count: number) =>
      comparedValue(comparedMetric(latency.selector, { of: 'percentile', percent }), {
        type: 'trend',
        samples: { ...trend, count },
      } as never);
    expect([atPercent(0, 1), atPercent(100, 1)]).toEqual([1, 9]);
    // 1,000 × 0.1 % is a little less than one in floating point.
    expect([atPercent(99.9, 999), atPercent(99.9, 1_000)]).toEqual([undefined, 9.99]);
    expect([atPercent(5, 19), atPercent(5, 20)]).toEqual([undefined, 0.5]);
    expect(comparedValue(failed, { type: 'rate', part: 0, whole: 0 })).toBeUndefined();
    expect(comparedValue(metric('http_reqs', 'rate'), { type: 'counter', count: 5, seconds: 0 })).toBeUndefined();
    expect(comparedValue(failed, { type: 'rate', part: 1, whole: 4 })).toBe(0.25);
    expect(comparedValue(metric('open_turns', 'value'), { type: 'gauge', value: 3 })).toBe(3);
    expect(comparedValue(metric('open_turns', 'value'), { type: 'gauge', value: 0 })).toBe(0);
    expect(comparedValue(metric('event_loop_delay', 'value'), { type: 'gauge', value: 12_250 })).toBe(12.25);
    expect(comparedValue(metric('open_turns', 'value'), { type: 'gauge' })).toBeUndefined();
    expect(comparedValue(metric('http_reqs', 'count'), { type: 'counter', count: 5, seconds: 2 })).toBe(5);
  });
});
