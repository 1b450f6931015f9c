import { median } from 'simple-statistics';
import { leastUnpairedP, pairsNeeded } from '../../metrics/index.ts';
import { type Unit, unitOf } from '../units.ts';
import { type ComparedMetric, printCompared } from './compared-metric.ts';
import type { ComparisonVerdict, Difference, MetricComparison, Slack } from './result.ts';
import type { Measured } from './shift.ts';
import { differenceText, estimateText, isOpposed, valueText } from './words.ts';

const ALPHA = 0.05;

/** Number of interleaved rounds needed for a significant result with so many metrics, if no two values of a round are equal. */
export const roundsFor = (metrics: number): number => pairsNeeded(ALPHA / metrics);

/** Parameters of the judgement of a metric. */
export interface Judging {
  readonly slack: Slack;
  /** p-value with Holm's correction; 1 without a test. */
  readonly pCorrected: number;
  /** Number of tests in the correction. */
  readonly tests: number;
  readonly paired: boolean;
}

const medianOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : median([...values]);

/**
 * @param shift on the scale of the test, which is logarithmic for times
 * @param plain for times: the shift in milliseconds
 */
function differenceOf(unit: Unit, base: number, shift: number, plain: number | undefined): Difference {
  if (plain !== undefined) return { absolute: plain, ...(base > 0 && { relative: Math.expm1(shift) }) };
  return { absolute: shift, ...(unit !== 'share' && base > 0 && { relative: shift / base }) };
}

/**
 * Whether a difference exceeds the slack: for times both slacks, with both estimates in the same direction; for counts the
 * relative one.
 */
function matters(unit: Unit, { absolute, relative }: Difference, slack: Slack): boolean {
  if (unit === 'share') return Math.abs(absolute) > slack.absoluteShare;
  if (unit !== 'ms') return Math.abs(relative ?? absolute) > (relative === undefined ? 0 : slack.relative);
  if (relative !== undefined && absolute * relative < 0) return false;
  return Math.abs(absolute) > slack.absoluteMs && Math.abs(relative ?? Number.POSITIVE_INFINITY) > slack.relative;
}

/**
 * Judges a metric. `worse` and `better`: the difference is significant after the correction and exceeds the slack. `same`: the whole
 * interval is within the slack. Otherwise `cannot tell`.
 */
export function judgeMetric(metric: ComparedMetric, measured: Measured, judging: Judging): MetricComparison {
  const { shift, plainShift } = measured;
  const unit = unitOf(metric.selector.metric, metric.aggregation);
  const [base, candidate] = [medianOf(measured.base), medianOf(measured.candidate)];
  const common = {
    metric: printCompared(metric),
    unit,
    ...(base !== undefined && { base }),
    ...(candidate !== undefined && { candidate }),
    rounds: { base: measured.base.length, candidate: measured.candidate.length },
  };
  if (!shift || base === undefined)
    return { ...common, verdict: 'cannot tell', because: 'no round of both has enough samples' };
  const difference = differenceOf(unit, base, shift.estimate, plainShift?.estimate);
  const interval = shift.interval && {
    low: differenceOf(unit, base, shift.interval.low, plainShift?.interval?.low),
    high: differenceOf(unit, base, shift.interval.high, plainShift?.interval?.high),
  };
  const numbers = { ...common, difference, ...(interval && { interval }), p: shift.p, pCorrected: judging.pCorrected };
  const { verdict, why, needed } = conclude({ unit, difference, interval }, metric, measured, judging);
  return { ...numbers, ...(needed !== undefined && { needed }), verdict, because: sentence(numbers, why) };
}

interface Estimate {
  readonly unit: Unit;
  readonly difference: Difference;
  readonly interval: MetricComparison['interval'];
}

interface Conclusion extends Pick<MetricComparison, 'verdict' | 'needed'> {
  readonly why: string;
}

function conclude(
  { unit, difference, interval }: Estimate,
  metric: ComparedMetric,
  measured: Measured,
  judging: Judging,
): Conclusion {
  const isBeyond = (one: Difference) => matters(unit, one, judging.slack);
  if (judging.pCorrected <= ALPHA && isBeyond(difference))
    return { verdict: directionOf(metric, difference), why: 'significant, and beyond the slack' };
  if (interval && !isBeyond(interval.low) && !isBeyond(interval.high))
    return { verdict: 'same', why: 'within the slack' };
  const needed = roundsNeeded(measured, judging);
  return needed === undefined
    ? { verdict: 'cannot tell', why: 'neither clearly beyond the slack nor clearly within it' }
    : { verdict: 'cannot tell', needed, why: `too few rounds to show a difference: at least ${needed} are needed` };
}

function directionOf({ worse }: ComparedMetric, { absolute }: Difference): ComparisonVerdict {
  return absolute > 0 === (worse === 'higher') ? 'worse' : 'better';
}

/**
 * Number of rounds per side needed for any significant result, if as many as now show no difference; `undefined` if there are
 * enough.
 */
function roundsNeeded({ leastP, ties }: Measured, { tests, paired }: Judging): number | undefined {
  if (leastP * tests <= ALPHA) return undefined;
  if (paired) return pairsNeeded(ALPHA / tests) + ties;
  let rounds = 1;
  while (leastUnpairedP(rounds, rounds) * tests > ALPHA) rounds++;
  return rounds;
}

type Numbers = Pick<MetricComparison, 'unit' | 'base' | 'candidate' | 'difference' | 'interval' | 'rounds'>;

function sentence(numbers: Numbers, why: string): string {
  const { unit, base = 0, candidate = 0, interval, rounds } = numbers;
  const by = isOpposed(numbers) ? 'though' : 'by';
  const between =
    interval === undefined
      ? ''
      : ` (95 % interval: ${differenceText(interval.low, unit)} to ${differenceText(interval.high, unit)})`;
  const of = rounds.base === rounds.candidate ? `${rounds.base}` : `${rounds.base} and ${rounds.candidate}`;
  return `${valueText(base, unit)} to ${valueText(candidate, unit)}, ${by} ${estimateText(numbers)}${between} in ${of} ${of === '1' ? 'round' : 'rounds'}: ${why}`;
}
