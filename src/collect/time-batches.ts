import type { Batch } from '../metrics/index.ts';

/** With more intervals than this, adjacent ones are merged in pairs, so a long run has 17 to 32 of them. */
const MOST = 32;
const SECOND_US = 1_000_000;
/** Buckets per power of two: values are distinguished to 9 %, which is precise enough to estimate the variation over time. */
const PER_DOUBLING = 8;

/**
 * Counts of samples by time interval and coarse value. The length of the intervals doubles as the run gets longer. The final length
 * depends only on the samples, not on their order, so that parts can be merged.
 */
export class TimeBatches {
  #widthUs = SECOND_US;
  #intervals = new Map<number, Map<number, number>>();

  add(us: number, at: number): void {
    this.#count(Math.floor(at / this.#widthUs), bucketOf(us), 1);
    this.#widen();
  }

  merge(other: TimeBatches): void {
    while (this.#widthUs < other.#widthUs) this.#double();
    const ratio = this.#widthUs / other.#widthUs;
    for (const [interval, buckets] of other.#intervals)
      for (const [bucket, count] of buckets) this.#count(Math.floor(interval / ratio), bucket, count);
    this.#widen();
  }

  /** For each interval: its number of samples, and how many of them are at most a value, up to the end of its bucket. */
  upTo(us: number): Batch[] {
    const last = bucketOf(us);
    // In the order of time, so that sums do not depend on the order of the samples.
    const inOrder = [...this.#intervals].sort(([a], [b]) => a - b);
    return inOrder.map(([, buckets]) => {
      let count = 0;
      let notAbove = 0;
      for (const [bucket, samples] of buckets) {
        count += samples;
        if (bucket <= last) notAbove += samples;
      }
      return { count, notAbove };
    });
  }

  #count(interval: number, bucket: number, samples: number): void {
    let buckets = this.#intervals.get(interval);
    if (!buckets) {
      buckets = new Map();
      this.#intervals.set(interval, buckets);
    }
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + samples);
  }

  #widen(): void {
    while (this.#intervals.size > MOST) this.#double();
  }

  #double(): void {
    const narrow = this.#intervals;
    this.#intervals = new Map();
    this.#widthUs *= 2;
    for (const [interval, buckets] of narrow)
      for (const [bucket, samples] of buckets) this.#count(Math.floor(interval / 2), bucket, samples);
  }
}

const bucketOf = (us: number): number => Math.floor(Math.log2(Math.max(0, us) + 1) * PER_DOUBLING);
