import type { Micros } from '../../base/index.ts';

const BUCKET_US = 100_000;
const BUCKETS = 10;

/** Counts the events of the last second with a resolution of 100 ms; counting an event takes two additions. */
export class RateOfLastSecond {
  readonly #counts = new Array<number>(BUCKETS).fill(0);
  #bucket = 0;
  #total = 0;

  /** Counts events at `now`, which must not decrease. @returns the number of events in the last second, including these */
  count(now: Micros, events = 1): number {
    const bucket = Math.floor(now / BUCKET_US);
    const passed = Math.min(bucket - this.#bucket, BUCKETS);
    for (let step = 1; step <= passed; step++) this.#clear((this.#bucket + step) % BUCKETS);
    if (passed === BUCKETS) this.#total = 0;
    this.#bucket = Math.max(bucket, this.#bucket);
    const slot = this.#bucket % BUCKETS;
    this.#counts[slot] = (this.#counts[slot] ?? 0) + events;
    this.#total += events;
    return this.#total;
  }

  #clear(slot: number): void {
    this.#total -= this.#counts[slot] ?? 0;
    this.#counts[slot] = 0;
  }
}
