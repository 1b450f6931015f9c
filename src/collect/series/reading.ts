import type { Micros } from '../../base/index.ts';
import { MicrosHistogram } from '../histograms/histogram.ts';
import { TimeBatches } from '../histograms/time-batches.ts';
import type { PercentileBounds } from '../summary.ts';

/** Samples of a duration, at least one. */
export interface TrendSamples {
  readonly count: number;
  readonly min: Micros;
  readonly mean: number;
  readonly max: Micros;
  /** By nearest rank. @param percent above 0, up to 100 */
  at(percent: number): Micros | undefined;
  /** @param percent 0 to 100, both excluded */
  bounds(percent: number): PercentileBounds;
}

/**
 * A trend's samples as if none had been later than the generator can tell: where it stood still, answers may have come earlier than
 * they were read, and requests would have left earlier.
 */
export interface EarliestSamples {
  readonly samples: TrendSamples;
  /** How many of them the generator may have delayed. */
  readonly late: number;
}

/** The value of a metric in a run, in a part of it, or in several runs together. */
export type Reading =
  /** `samples` is absent without any, `earliest` if the generator delayed none of them. */
  | { readonly type: 'trend'; readonly samples?: TrendSamples; readonly earliest?: EarliestSamples }
  /** Count over a number of seconds; 0 if nothing was counted. */
  | { readonly type: 'counter'; readonly count: number; readonly seconds: number }
  /** `part` of `whole`; `whole` is 0 without samples. `over` are these samples over time, 0 or 1; absent for windows. */
  | { readonly type: 'rate'; readonly part: number; readonly whole: number; readonly over?: TimeBatches }
  /** Absent where nothing was seen. */
  | { readonly type: 'gauge'; readonly value?: number };

/**
 * Readings of the same metric in several runs, as if they were one run: each after the last, so that a difference between runs
 * makes bounds as wide as one between stretches of a run.
 * @param readings of whole runs; at least one
 * @throws TypeError if they are of different types
 */
export function pooled(readings: readonly Reading[]): Reading {
  const [first, ...others] = readings;
  if (!first) throw new TypeError('nothing to pool');
  return others.reduce(pooledWith, first);
}

function pooledWith(a: Reading, b: Reading): Reading {
  if (a.type === 'trend' && b.type === 'trend') return pooledTrend(a, b);
  if (a.type === 'counter' && b.type === 'counter')
    return { type: 'counter', count: a.count + b.count, seconds: a.seconds + b.seconds };
  if (a.type === 'rate' && b.type === 'rate') return pooledRate(a, b);
  if (a.type === 'gauge' && b.type === 'gauge') {
    const values = [a.value, b.value].filter((value) => value !== undefined);
    return { type: 'gauge', ...(values.length > 0 && { value: Math.max(...values) }) };
  }
  throw new TypeError('readings of different types');
}

type Trend = Extract<Reading, { readonly type: 'trend' }>;

function pooledTrend(a: Trend, b: Trend): Reading {
  if (!a.samples) return b;
  if (!b.samples) return a;
  const late = (a.earliest?.late ?? 0) + (b.earliest?.late ?? 0);
  return {
    type: 'trend',
    samples: together(a.samples, b.samples),
    ...(late > 0 && {
      earliest: { samples: together(a.earliest?.samples ?? a.samples, b.earliest?.samples ?? b.samples), late },
    }),
  };
}

function together(a: TrendSamples, b: TrendSamples): TrendSamples {
  if (!(a instanceof MicrosHistogram) || !(b instanceof MicrosHistogram))
    throw new TypeError('only samples of whole runs can be pooled');
  const samples = new MicrosHistogram();
  samples.add(a);
  samples.add(b, 'afterwards');
  return samples;
}

type Rate = Extract<Reading, { readonly type: 'rate' }>;

function pooledRate(a: Rate, b: Rate): Rate {
  const over = new TimeBatches();
  for (const one of [a, b]) if (one.over) over.merge(one.over, 'afterwards');
  return { type: 'rate', part: a.part + b.part, whole: a.whole + b.whole, over };
}
