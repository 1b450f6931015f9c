import type { Micros } from '../../base/index.ts';
import { percentileRanks } from '../../metrics/index.ts';
import {
  type Distribution,
  type Percentile,
  type PercentileBounds,
  type PercentileName,
  percentileNames,
} from '../summary.ts';
import { type Buckets, emptyBuckets, encodedBuckets, HIGHEST_US } from './buckets.ts';
import { addCounts } from './histogram-counts.ts';
import { TimeBatches } from './time-batches.ts';

const percents: Readonly<Record<PercentileName, number>> = { p50: 50, p90: 90, p95: 95, p99: 99, p999: 99.9 };

/**
 * The histogram library, restricted to what it does correctly (design.md section 8): whole microseconds, 32-bit
 * counts, percentiles by `getValueAtPercentile` alone. Count, sum, minimum and maximum are kept exactly beside it, and an empty
 * histogram has no distribution at all.
 */
export class MicrosHistogram {
  /** Made at once: made with the first sample, they would delay what a run has to do then, and the first of all loads the library. */
  readonly #buckets: Buckets = emptyBuckets();
  /** Absent as long as no sample has an instant. */
  #batches: TimeBatches | undefined;
  #sum = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = 0;
  /** That of so many samples as it says: with another sample it is another one. */
  #told: Distribution | undefined;

  /** What the bounds are about. */
  readonly about: 'service' | 'run';

  /**
   * @param about the service, which the run has seen for a while; or this run itself, of which all samples are known, so that a trend
   *   is no chance
   */
  constructor(about: 'service' | 'run' = 'service') {
    this.about = about;
  }

  get count(): number {
    return this.#buckets.totalCount;
  }

  /** Of an empty one: infinity. */
  get min(): Micros {
    return this.#min as Micros;
  }

  get max(): Micros {
    return this.#max as Micros;
  }

  /** Of an empty one: NaN. */
  get mean(): number {
    return this.#sum / this.count;
  }

  get sum(): Micros {
    return this.#sum as Micros;
  }

  /**
   * @param us whole microseconds; below 0 (a history whose instants run backwards) counts as 0
   * @param at when it was taken, for series so dense that neighbouring samples are similar; absent for sparse series
   * @throws RangeError for anything but a safe integer: the library would accept NaN and fail later
   */
  record(us: number, at?: Micros): void {
    if (!Number.isSafeInteger(us)) throw new RangeError(`${us} is not a whole number of microseconds`);
    const value = Math.max(0, us);
    if (at !== undefined) this.#batchesNow().add(value, at);
    this.#buckets.recordValue(Math.min(value, HIGHEST_US));
    this.#sum += value;
    this.#min = Math.min(this.#min, value);
    this.#max = Math.max(this.#max, value);
  }

  /** @param order whether the others were taken at the same time, or are of another run, which may differ as a whole */
  add(other: MicrosHistogram, order: 'meanwhile' | 'afterwards' = 'meanwhile'): void {
    if (other.count === 0) return;
    addCounts(other.#buckets, Math.min(other.#min, HIGHEST_US), this.#buckets);
    if (other.#batches) this.#batchesNow().merge(other.#batches, order);
    this.#sum += other.#sum;
    this.#min = Math.min(this.#min, other.#min);
    this.#max = Math.max(this.#max, other.#max);
  }

  /**
   * The value at a percentile by nearest rank: the upper end of its bucket, at most 0.1 % above, never above the maximum; for a
   * value above 7 days the maximum.
   * @param percent above 0, up to 100
   * @returns `undefined` when empty
   */
  at(percent: number): Micros | undefined {
    if (this.count === 0) return undefined;
    const end = this.#buckets.getValueAtPercentile(percent);
    return (end >= HIGHEST_US ? this.#max : Math.min(end, this.#max)) as Micros;
  }

  /**
   * The values between which a percentile lies, by order statistics. If samples are dense in time and vary over time, as many of
   * them count as are independent (batch means). Each end holds by itself with 95 % confidence.
   * @param percent 0 to 100, both excluded
   */
  bounds(percent: number): PercentileBounds {
    return this.#boundsAt(percent, this.at(percent));
  }

  /** @param us the value at the percentile */
  #boundsAt(percent: number, us: Micros | undefined): PercentileBounds {
    const worth = this.#batches && us !== undefined ? this.#batches.worth(us, percent / 100) : this.count;
    const { lower, upper } = percentileRanks(percent, worth);
    const each = this.count / worth;
    return {
      ...(lower !== undefined && { lowUs: this.#lowAtRank(Math.floor(lower * each)) }),
      ...(upper !== undefined && { highUs: this.#atRank(Math.ceil(upper * each)) as Micros }),
      method: worth < this.count ? 'batch-means' : 'order-statistics',
    };
  }

  distribution(): Distribution | undefined {
    if (this.count === 0) return undefined;
    if (this.#told?.count === this.count) return this.#told;
    const named = percentileNames.map((name) => [name, this.#percentile(percents[name])] as const);
    this.#told = {
      count: this.count,
      minUs: this.#min as Micros,
      meanUs: Math.round(this.mean) as Micros,
      maxUs: this.#max as Micros,
      percentiles: Object.fromEntries(named) as Record<PercentileName, Percentile>,
    };
    return this.#told;
  }

  /** Compressed HdrHistogram V2, base64. */
  encode(): string {
    return encodedBuckets(this.#buckets);
  }

  #percentile(percent: number): Percentile {
    const need = samplesNeeded(percent);
    const us = this.count >= need ? this.at(percent) : undefined;
    return us === undefined ? { tooFew: { have: this.count, need } } : { us, bounds: this.#boundsAt(percent, us) };
  }

  #atRank(rank: number): Micros | undefined {
    return this.at(midRank(rank, this.count));
  }

  /** The lower end of that sample's bucket, never below the minimum: a lower bound above the sample would be none. */
  #lowAtRank(rank: number): Micros {
    const end = this.#buckets.getValueAtPercentile(midRank(rank, this.count));
    return Math.max(this.#min, bucketStart(Math.min(end, HIGHEST_US))) as Micros;
  }

  #batchesNow(): TimeBatches {
    this.#batches ??= new TimeBatches(this.about);
    return this.#batches;
  }
}

/** Three significant digits take 1,024 buckets from one power of two to the next. */
function bucketStart(us: number): number {
  const width = 2 ** Math.max(0, Math.floor(Math.log2(us)) - 10);
  return us - (us % width);
}

/** The percentile of a rank's sample, 1 for the least; half a rank before its own, so that no rounding takes the next one. */
const midRank = (rank: number, count: number): number => (100 * (rank - 0.5)) / count;

/**
 * Samples needed to report a percentile: 1 / (1 − p), rounded up, so that at least one sample lies at or beyond it.
 * @param percent 0 ≤ percent < 100
 */
export function samplesNeeded(percent: number): number {
  // In thousandths of a percent: 100 / (100 − 99.9) is 1000.0000000000569 in binary.
  const beyond = Math.round((100 - percent) * 1_000);
  return Math.ceil(100_000 / beyond);
}
