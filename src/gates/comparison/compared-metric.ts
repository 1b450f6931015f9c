import type { Reading } from '../../collect/index.ts';
import { type Aggregation, metricOf, printAggregation, printSelector, type Selector } from '../../metrics/index.ts';
import { timeOf } from '../time-of.ts';
import { exactValue } from '../units.ts';

/** A number per run by which sets of runs are compared. */
export interface ComparedMetric {
  readonly selector: Selector;
  readonly aggregation: Aggregation;
  /** The direction of deterioration. */
  readonly worse: 'higher' | 'lower';
}

/** `http_req_duration{operation:readHistory,outcome:success}: med` */
export const printCompared = ({ selector, aggregation }: ComparedMetric): string =>
  `${printSelector(selector)}: ${printAggregation(aggregation)}`;

/** Metrics that are worse if they are lower, unless their tags choose what went wrong. */
const betterHigher: readonly string[] = ['checks', 'http_reqs', 'iterations', 'data_sent', 'data_received'];

/** Whether only requests or journeys are counted that did not succeed. */
const choosesFailures = ({ tags: { outcome = 'success', status = '' } }: Selector): boolean =>
  !['success', 'completed'].includes(outcome) || Number(status) >= 300;

export const comparedMetric = (selector: Selector, aggregation: Aggregation): ComparedMetric => ({
  selector,
  aggregation,
  worse: betterHigher.includes(selector.metric) && !choosesFailures(selector) ? 'lower' : 'higher',
});

/** Times are compared by their ratio, because a slow machine multiplies them; other metrics by their difference. */
export const isTime = ({ selector }: ComparedMetric): boolean => metricOf(selector.metric).unit === 'us';

/**
 * The value of one run; times in milliseconds.
 * @returns `undefined` if there are too few samples
 */
export function comparedValue({ aggregation, selector }: ComparedMetric, reading: Reading): number | undefined {
  switch (reading.type) {
    case 'rate':
      return reading.whole > 0 ? reading.part / reading.whole : undefined;
    case 'trend':
      return reading.samples && trendValue(aggregation, reading.samples);
    case 'counter':
    case 'gauge':
      return exactValue(selector.metric, aggregation, reading);
  }
}

type Samples = NonNullable<Extract<Reading, { type: 'trend' }>['samples']>;

function trendValue(aggregation: Aggregation, samples: Samples): number | undefined {
  const asked = timeOf(aggregation, samples);
  const us = 'us' in asked ? asked.us : percentileOf(asked.percent, samples);
  return us === undefined ? undefined : us / 1_000;
}

/**
 * Rounds are the samples of a comparison, so a percentile of a round needs no confidence bound of its own, only at least one sample
 * at or beyond it: p(90) needs 10 samples, as in a summary. The median needs one.
 */
function percentileOf(percent: number, samples: Samples): number | undefined {
  const tail = Math.min(percent, 100 - percent) / 100;
  return percent === 50 || samples.count * tail >= 1 - ROUNDING ? samples.at(percent) : undefined;
}

/** Tolerance for decimal fractions that are not exact in binary. */
const ROUNDING = 1e-9;
