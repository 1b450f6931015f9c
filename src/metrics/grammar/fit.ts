import { type Metric, type MetricName, type MetricType, metricOf } from '../table.ts';
import { type Aggregation, type Expression, type Operator, printAggregation, shareOf } from './expression.ts';
import type { Fault } from './parsed.ts';

/** Aggregations of each metric type, as in k6. */
const aggregations: Readonly<Record<MetricType, readonly Aggregation['of'][]>> = {
  counter: ['count', 'rate'],
  gauge: ['value'],
  rate: ['rate'],
  trend: ['avg', 'min', 'max', 'med', 'percentile'],
};

/** Aggregations with a distribution-free confidence bound. */
const bounded: Readonly<Record<MetricType, readonly Aggregation['of'][]>> = {
  counter: [],
  gauge: [],
  rate: ['rate'],
  trend: ['med', 'percentile'],
};

/** Whether one end of an interval is unfavourable for a comparison, and can be compared in place of the estimate. */
const hasSide: Readonly<Record<Operator, boolean>> = {
  '<': true,
  '<=': true,
  '>': true,
  '>=': true,
  '==': false,
  '!=': false,
};

/** The aggregations of a type in the syntax of expressions. */
export const writtenAggregations = (type: MetricType): readonly string[] =>
  aggregations[type].map((of) => (of === 'percentile' ? 'p(N)' : of));

/** Errors of applying this aggregation to the metric; empty if there are none. */
export function aggregationFaults(metric: MetricName, aggregation: Aggregation): readonly Fault[] {
  const { type } = metricOf(metric);
  if (aggregations[type].includes(aggregation.of)) return [];
  const message = `${metric} is a ${type} and has no ${printAggregation(aggregation)}`;
  return [{ message, hint: `write ${writtenAggregations(type).join(', ')}` }];
}

/** Errors of an expression on a metric: an aggregation that does not fit its type, or a threshold that is always or never met. */
export function fitFaults(metric: MetricName, expression: Expression): readonly Fault[] {
  const row = metricOf(metric);
  const unfit = aggregationFaults(metric, expression.aggregation);
  if (unfit.length > 0) return unfit;
  return [...boundFaults(metric, row, expression), ...thresholdFaults(metric, row, expression)];
}

function boundFaults(metric: MetricName, { type }: Metric, expression: Expression): Fault[] {
  const { aggregation, bound, operator, threshold } = expression;
  if (!bound) return [];
  const written = printAggregation(aggregation);
  const extreme = aggregation.of === 'percentile' && (aggregation.percent === 0 || aggregation.percent === 100);
  if (!bounded[type].includes(aggregation.of) || extreme) {
    const message = `${written} of ${metric} has no confidence bound`;
    return [{ message, hint: type === 'trend' ? 'write bound(p(N)) or bound(med)' : `write ${written} without bound` }];
  }
  if (!hasSide[operator]) {
    return [{ message: `a bound cannot be compared with ${operator}`, hint: 'write <, <=, > or >=' }];
  }
  // Samples, however many, leave room for one that is different.
  if (type === 'rate' && ((operator === '<=' && threshold === 0) || (operator === '>=' && threshold === 1))) {
    const message = `${operator}${threshold} is never true: the bound of a share is above 0 and below 1`;
    return [{ message, hint: `write ${written}${operator}${threshold} without bound` }];
  }
  return [];
}

/** Reports a threshold that every measurement meets or that none can meet. */
function thresholdFaults(metric: MetricName, { unit, type }: Metric, expression: Expression): Fault[] {
  const { operator, threshold, aggregation } = expression;
  const lowest = 0;
  const highest = unit === 'share' ? 1 : Number.POSITIVE_INFINITY;
  const below = threshold < lowest;
  const above = threshold > highest;
  const fractional =
    (aggregation.of === 'count' || (type === 'gauge' && unit !== 'us')) && !Number.isInteger(threshold);
  const impossible = below || above || fractional;
  const never = {
    '<': threshold <= lowest,
    '<=': below,
    '>': threshold >= highest,
    '>=': above,
    '==': impossible,
    '!=': false,
  }[operator];
  const always = {
    '<': above,
    '<=': threshold >= highest,
    '>': below,
    '>=': threshold <= lowest,
    '==': false,
    '!=': impossible,
  }[operator];
  if (!never && !always) return [];
  const range = unit === 'share' ? 'from 0 to 1' : fractional ? 'a whole number' : 'never below 0';
  const percent = unit === 'share' && threshold > 1 && threshold <= 100;
  return [
    {
      message: `${operator}${threshold} is ${never ? 'never' : 'always'} true: ${metric} is ${range}`,
      hint: percent
        ? `write ${operator}${shareOf(threshold)} for ${threshold} %`
        : 'choose a threshold that can decide',
    },
  ];
}
