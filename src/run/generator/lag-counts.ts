import type { Micros } from '../../base/index.ts';

/** Buckets per power of two: the relative error of a value is at most 1/64. */
const PER_OCTAVE = 64;
const OCTAVES = 36;

/** Histogram of the lags of one second. Sorting a hundred thousand values each second would itself delay the generator. */
export class LagCounts {
  readonly #buckets = new Uint32Array(PER_OCTAVE * OCTAVES);
  count = 0;

  /** @param us below 0 counts as 0 */
  add(us: number): void {
    const bucket = bucketOf(Math.max(0, us));
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + 1;
    this.count += 1;
  }

  /** The quantile by nearest rank, as the upper end of its bucket. @param share 0 < share ≤ 1 @returns 0 if empty */
  at(share: number): Micros {
    let left = Math.ceil(this.count * share);
    for (const [bucket, count] of this.#buckets.entries()) {
      left -= count;
      if (left <= 0) return upperEnd(bucket) as Micros;
    }
    return 0 as Micros;
  }

  clear(): void {
    this.#buckets.fill(0);
    this.count = 0;
  }
}

/** Below 64 µs each value has its own bucket; above, the six bits after the highest one select the bucket within the octave. */
function bucketOf(us: number): number {
  if (us < PER_OCTAVE) return us;
  const octave = octaveOf(us);
  const within = Math.floor(us / (SPANS[octave] ?? 1)) - PER_OCTAVE;
  return Math.min(PER_OCTAVE * (octave + 1) + within, PER_OCTAVE * OCTAVES - 1);
}

/** Width of the buckets of each octave, µs. */
const SPANS = Array.from({ length: OCTAVES }, (_, octave) => 2 ** octave);

const octaveOf = (us: number): number => (us < 2 ** 31 ? 25 - Math.clz32(us) : Math.floor(Math.log2(us)) - 6);

function upperEnd(bucket: number): number {
  if (bucket < PER_OCTAVE) return bucket;
  const octave = Math.floor(bucket / PER_OCTAVE) - 1;
  return (PER_OCTAVE + (bucket % PER_OCTAVE) + 1) * 2 ** octave - 1;
}
