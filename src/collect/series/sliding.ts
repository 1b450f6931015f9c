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
  /** How much of a trend's value the generator may have added; absent: nothing. */
  readonly lateUs?: number;
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
  /** The values without what the generator may have added; only while there is one to which it may have. */
  #earliest: number[] | undefined;
  #late = 0;
  #part = 0;
  #whole = 0;

  constructor(type: MetricType, seconds: number) {
    this.#type = type;
    this.#seconds = seconds;
  }

  enter(sample: Sample): void {
    const value = Math.max(0, sample.value);
    if (this.#type === 'trend') this.#enterTrend(value, sample.lateUs ?? 0);
    this.#part += value;
    this.#whole += sample.whole;
  }

  leave(sample: Sample): void {
    const value = Math.max(0, sample.value);
    if (this.#type === 'trend') this.#leaveTrend(value, sample.lateUs ?? 0);
    this.#part -= value;
    this.#whole -= sample.whole;
  }

  #enterTrend(value: number, lateUs: number): void {
    if (lateUs > 0) {
      this.#late += 1;
      this.#earliest ??= [...this.#sorted];
    }
    insert(this.#sorted, value);
    if (this.#earliest) insert(this.#earliest, Math.max(0, value - lateUs));
  }

  #leaveTrend(value: number, lateUs: number): void {
    remove(this.#sorted, value);
    if (this.#earliest) remove(this.#earliest, Math.max(0, value - lateUs));
    if (lateUs > 0) this.#late -= 1;
    if (this.#late === 0) this.#earliest = undefined;
  }

  reading(): Reading {
    if (this.#type === 'counter') return { type: 'counter', count: this.#part, seconds: this.#seconds };
    if (this.#type === 'rate') return { type: 'rate', part: this.#part, whole: this.#whole };
    const earliest = this.#earliest;
    return {
      type: 'trend',
      ...(this.#sorted.length > 0 && { samples: sortedSamples([...this.#sorted], this.#part) }),
      ...(earliest && { earliest: { samples: sortedSamples([...earliest], sumOf(earliest)), late: this.#late } }),
    };
  }
}

const insert = (sorted: number[], value: number) => sorted.splice(placeOf(sorted, value), 0, value);
const remove = (sorted: number[], value: number) => sorted.splice(placeOf(sorted, value), 1);
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

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
