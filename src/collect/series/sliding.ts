import type { Micros } from '../../base/index.ts';
import { type MetricType, percentileRanks } from '../../metrics/index.ts';
import type { PercentileBounds } from '../summary.ts';
import type { Reading, TrendSamples } from './reading.ts';

/** One sample with its instant. */
export interface Sample {
  /** Of a trend, below 0 counts as 0. */
  readonly value: number;
  readonly at: Micros;
  readonly whole: number;
}

/** A window of a run (end excluded), and the metric's reading in it. */
export interface WindowReading {
  readonly fromUs: Micros;
  readonly toUs: Micros;
  readonly reading: Reading;
}

/** A part of a run, end excluded. */
export interface TimeSpan {
  readonly fromUs: Micros;
  readonly toUs: Micros;
}

/** Windows end at whole seconds of the run. */
const STEP_US = 1_000_000;

/**
 * The readings of every window that ends at a whole second and lies within a span of the run, in order. A window with exactly the
 * samples of the previous one is left out.
 * @param samples in any order
 */
export function* slidingWindows(
  type: MetricType,
  samples: readonly Sample[],
  windowUs: Micros,
  { fromUs, toUs }: TimeSpan,
): Generator<WindowReading> {
  const inOrder = [...samples].sort((a, b) => a.at - b.at);
  const content = new SlidingContent(type, windowUs / 1_000_000);
  const first = Math.ceil((fromUs + windowUs) / STEP_US) * STEP_US;
  let entering = 0;
  let leaving = 0;
  for (let end = first; end <= toUs; end += STEP_US) {
    let changed = end === first;
    for (let one = inOrder[entering]; one && one.at < end; one = inOrder[++entering]) {
      content.enter(one);
      changed = true;
    }
    for (let one = inOrder[leaving]; one && one.at < end - windowUs; one = inOrder[++leaving]) {
      content.leave(one);
      changed = true;
    }
    if (changed) yield { fromUs: (end - windowUs) as Micros, toUs: end as Micros, reading: content.reading() };
  }
}

/** The samples in the current window. */
class SlidingContent {
  readonly #type: MetricType;
  readonly #seconds: number;
  readonly #sorted: number[] = [];
  #part = 0;
  #whole = 0;

  constructor(type: MetricType, seconds: number) {
    this.#type = type;
    this.#seconds = seconds;
  }

  enter(sample: Sample): void {
    const value = Math.max(0, sample.value);
    if (this.#type === 'trend') this.#sorted.splice(placeOf(this.#sorted, value), 0, value);
    this.#part += value;
    this.#whole += sample.whole;
  }

  leave(sample: Sample): void {
    const value = Math.max(0, sample.value);
    if (this.#type === 'trend') this.#sorted.splice(placeOf(this.#sorted, value), 1);
    this.#part -= value;
    this.#whole -= sample.whole;
  }

  reading(): Reading {
    if (this.#type === 'counter') return { type: 'counter', count: this.#part, seconds: this.#seconds };
    if (this.#type === 'rate') return { type: 'rate', part: this.#part, whole: this.#whole };
    return { type: 'trend', ...(this.#sorted.length > 0 && { samples: sortedSamples([...this.#sorted], this.#part) }) };
  }
}

/** The position of a value in rising order. */
function placeOf(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param sorted rising, at least one */
function sortedSamples(sorted: readonly number[], sum: number): TrendSamples {
  const rank = (one: number) => (sorted[one - 1] ?? 0) as Micros;
  return {
    count: sorted.length,
    min: rank(1),
    mean: sum / sorted.length,
    max: rank(sorted.length),
    // Slightly less, so that 29 % of 100 samples is the 29th and not the 30th.
    at: (percent) => rank(Math.max(1, Math.ceil((percent / 100) * sorted.length * (1 - 2 ** -50)))),
    bounds(percent): PercentileBounds {
      const { lower, upper } = percentileRanks(percent, sorted.length);
      return {
        ...(lower !== undefined && { lowUs: rank(lower) }),
        ...(upper !== undefined && { highUs: rank(upper) }),
        method: 'order-statistics',
      };
    },
  };
}
