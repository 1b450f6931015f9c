import { createRequire } from 'node:module';
import type * as Library from 'hdr-histogram-js';
import type { Micros } from '../../base/index.ts';
import { percentileRanks } from '../../metrics/index.ts';
import {
  type Distribution,
  type Percentile,
  type PercentileBounds,
  type PercentileName,
  percentileNames,
} from '../summary.ts';
import { addCounts } from './histogram-counts.ts';
import { withTrueHeader } from './histogram-header.ts';
import { TimeBatches } from './time-batches.ts';

/**
 * Values up to 7 days are distinguished; longer ones share the last bucket, which ends at the maximum. The range is fixed, so that
 * the encoding of a merged histogram equals that of the whole. Takes some 120 KiB.
 */
const HIGHEST_US = 7 * 86_400_000_000;

const percents: Readonly<Record<PercentileName, number>> = { p50: 50, p90: 90, p95: 95, p99: 99, p999: 99.9 };

/** Loaded with the first histogram; required, because Node searches a CommonJS package's files for its names when it is imported. */
const library = () => (loaded ??= createRequire(import.meta.url)('hdr-histogram-js') as typeof Library);
let loaded: typeof Library | undefined;

/**
 * The only use of the histogram library, restricted to what it does correctly (design.md section 8): whole microseconds, 32-bit
 * counts, percentiles by `getValueAtPercentile` alone. Count, sum, minimum and maximum are kept exactly beside it, and an empty
 * histogram has no distribution at all.
 */
export class MicrosHistogram {
  readonly #buckets = library().build({
    bitBucketSize: 32,
    autoResize: false,
    lowestDiscernibleValue: 1,
    highestTrackableValue: HIGHEST_US,
    numberOfSignificantValueDigits: 3,
  }) as Library.JsHistogram;
  /** Absent as long as no sample has an instant. */
  #batches: TimeBatches | undefined;
  #sum = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = 0;

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
    const worth = this.#independentSamples(percent);
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
    const named = percentileNames.map((name) => [name, this.#percentile(percents[name])] as const);
    return {
      count: this.count,
      minUs: this.#min as Micros,
      meanUs: Math.round(this.mean) as Micros,
      maxUs: this.#max as Micros,
      percentiles: Object.fromEntries(named) as Record<PercentileName, Percentile>,
    };
  }

  /** Compressed HdrHistogram V2, base64. */
  encode(): string {
    return withTrueHeader(library().encodeIntoCompressedBase64(this.#buckets));
  }

  #percentile(percent: number): Percentile {
    const need = samplesNeeded(percent);
    const us = this.count >= need ? this.at(percent) : undefined;
    return us === undefined ? { tooFew: { have: this.count, need } } : { us, bounds: this.bounds(percent) };
  }

  #atRank(rank: number): Micros | undefined {
    return this.at(midRank(rank, this.count));
  }

  /** The lower end of that sample's bucket, never below the minimum: a lower bound above the sample would be none. */
  #lowAtRank(rank: number): Micros {
    const end = this.#buckets.getValueAtPercentile(midRank(rank, this.count));
    return Math.max(this.#min, bucketStart(Math.min(end, HIGHEST_US))) as Micros;
  }

  #independentSamples(percent: number): number {
    const us = this.at(percent);
    if (!this.#batches || us === undefined) return this.count;
    return this.#batches.worth(us, percent / 100);
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
