import { type Batch, independentSamples } from '../../metrics/index.ts';

/** With more intervals than this, adjacent ones are merged in pairs, so a long run has 17 to 32 of them. */
const MOST = 32;
const SECOND_US = 1_000_000;
/** Buckets per power of two: values are distinguished to 1 %. A smaller variation over time is not seen. */
const PER_DOUBLING = 64;
/** Samples per interval, on average, from which intervals can be compared. */
const DENSE = 10;

/**
 * Counts of samples by time interval and coarse value. The length of the intervals doubles as the run gets longer. The final length
 * depends only on the samples, not on their order, so that parts can be merged.
 */
export class TimeBatches {
  readonly #about: 'service' | 'run';
  #widthUs = SECOND_US;
  #intervals = new Map<number, Map<number, number>>();

  /** @param about see `MicrosHistogram` */
  constructor(about: 'service' | 'run' = 'service') {
    this.#about = about;
  }

  add(us: number, at: number): void {
    this.#count(Math.floor(at / this.#widthUs), bucketOf(us), 1);
    this.#widen();
  }

  /** @param order `afterwards` if the others are of another run, whose intervals are no part of these */
  merge(other: TimeBatches, order: 'meanwhile' | 'afterwards' = 'meanwhile'): void {
    while (this.#widthUs < other.#widthUs) this.#double();
    const ratio = this.#widthUs / other.#widthUs;
    const first = order === 'meanwhile' ? 0 : Math.max(-1, ...this.#intervals.keys()) + 1;
    for (const [interval, buckets] of other.#intervals)
      for (const [bucket, count] of buckets) this.#count(first + Math.floor(interval / ratio), bucket, count);
    this.#widen();
  }

  /**
   * For each interval: its number of samples, and how many of them are not above the percentile with this value. Of the samples in
   * the value's own bucket as large a part counts as makes up the percentile, because the share at the bucket's end is another one.
   * @param share of the percentile, 0 to 1
   */
  upTo(us: number, share: number): Batch[] {
    const last = bucketOf(us);
    // In the order of time, so that sums do not depend on the order of the samples.
    const inOrder = [...this.#intervals].sort(([a], [b]) => a - b).map(([, buckets]) => inBucketsOf(buckets, last));
    const sum = (part: keyof InBuckets) => inOrder.reduce((total, batch) => total + batch[part], 0);
    const part = (share * sum('count') - sum('below')) / Math.max(1, sum('within'));
    return inOrder.map(({ count, below, within }) => ({ count, notAbove: below + part * within }));
  }

  /**
   * How many independent samples these are worth for the share of them at or below a value; all of them, if there are too few to
   * compare stretches of time. Sparse samples are compared in longer stretches, if ten are on the rarer side of the value: of fewer,
   * chance alone leaves so many together that in two of five runs nothing would bound the 95th percentile of 100.
   */
  worth(us: number, share: number): number {
    const batches = this.upTo(us, share);
    const count = batches.reduce((sum, batch) => sum + batch.count, 0);
    const rare = count * Math.min(share, 1 - share);
    if (count < DENSE * batches.length && rare < DENSE) return count;
    const dense = joined(batches, Math.floor(count / DENSE));
    return Math.max(
      1,
      Math.floor(independentSamples(dense, this.#about === 'service' ? 'alike' : 'independent') ?? count),
    );
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

/** Samples of an interval: all, those in buckets below one, and those within it. */
interface InBuckets {
  count: number;
  below: number;
  within: number;
}

function inBucketsOf(buckets: ReadonlyMap<number, number>, last: number): InBuckets {
  const batch = { count: 0, below: 0, within: 0 };
  for (const [bucket, samples] of buckets) {
    batch.count += samples;
    if (bucket < last) batch.below += samples;
    else if (bucket === last) batch.within += samples;
  }
  return batch;
}

/** Neighbours together, so that there are at most so many batches, as equal in number as possible. */
function joined(batches: readonly Batch[], most: number): readonly Batch[] {
  if (batches.length <= most) return batches;
  const start = (index: number) => Math.floor((index * batches.length) / most);
  return Array.from({ length: most }, (_, index) => {
    const own = batches.slice(start(index), start(index + 1));
    const sum = (part: keyof Batch) => own.reduce((total, batch) => total + batch[part], 0);
    return { count: sum('count'), notAbove: sum('notAbove') };
  });
}

const bucketOf = (us: number): number => Math.floor(Math.log2(Math.max(0, us) + 1) * PER_DOUBLING);
