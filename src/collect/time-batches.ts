import type { Batch } from '../metrics/index.ts';

/** Above this many stretches they are joined in pairs, so a long run has 17 to 32 of them. */
const MOST = 32;
const SECOND_US = 1_000_000;
/** Buckets per doubling: values are distinguished to 9 %, which only affects how samples scatter over time. */
const PER_DOUBLING = 8;

/**
 * Samples by the stretch of time in which they were taken, coarse in value. The length of the stretches doubles as the run gets
 * longer; the final length depends on the samples alone, not on their order, so that parts can be merged.
 */
export class TimeBatches {
  #widthUs = SECOND_US;
  #stretches = new Map<number, Map<number, number>>();

  add(us: number, at: number): void {
    this.#count(Math.floor(at / this.#widthUs), bucketOf(us), 1);
    this.#widen();
  }

  merge(other: TimeBatches): void {
    while (this.#widthUs < other.#widthUs) this.#double();
    const ratio = this.#widthUs / other.#widthUs;
    for (const [stretch, buckets] of other.#stretches)
      for (const [bucket, count] of buckets) this.#count(Math.floor(stretch / ratio), bucket, count);
    this.#widen();
  }

  /** For each stretch: its number of samples, and how many of them are not above a value, up to its bucket's end. */
  upTo(us: number): Batch[] {
    const last = bucketOf(us);
    // In the order of time, so that sums do not depend on the order of the samples.
    const inOrder = [...this.#stretches].sort(([a], [b]) => a - b);
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

  #count(stretch: number, bucket: number, samples: number): void {
    let buckets = this.#stretches.get(stretch);
    if (!buckets) {
      buckets = new Map();
      this.#stretches.set(stretch, buckets);
    }
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + samples);
  }

  #widen(): void {
    while (this.#stretches.size > MOST) this.#double();
  }

  #double(): void {
    const narrow = this.#stretches;
    this.#stretches = new Map();
    this.#widthUs *= 2;
    for (const [stretch, buckets] of narrow)
      for (const [bucket, samples] of buckets) this.#count(Math.floor(stretch / 2), bucket, samples);
  }
}

const bucketOf = (us: number): number => Math.floor(Math.log2(Math.max(0, us) + 1) * PER_DOUBLING);
