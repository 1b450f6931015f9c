interface Count {
  readonly bucket: string;
  sure: number;
  /** Those that may count included. */
  possible: number;
}

/** Counts per bucket in the current window. Counts of earlier windows are discarded. */
export class FullestBucket {
  #index = -1;
  #most = 0;
  #mostPossible = 0;
  readonly #counts = new Map<string, Count>();
  /** The bucket counted last, which is usually the next one too. */
  #last: Count | undefined;

  /**
   * Adds one to a bucket.
   * @param index of the window; a later one discards the counts so far, an earlier one is not counted
   * @param isSure false: it may count or not
   */
  count(index: number, bucket: string, isSure = true): void {
    if (index < this.#index) return;
    if (index > this.#index) this.#begin(index);
    if (this.#last?.bucket !== bucket) this.#last = this.#countOf(bucket);
    this.#last.possible += 1;
    if (isSure) this.#last.sure += 1;
    if (this.#last.sure > this.#most) this.#most = this.#last.sure;
    if (this.#last.possible > this.#mostPossible) this.#mostPossible = this.#last.possible;
  }

  /** The current window is this one, as the clock says that was not known before. */
  name(index: number): void {
    this.#index = index;
  }

  /** The clock says that the current window is this one: if it was set back, what was counted under a later one is discarded. */
  setBack(index: number): void {
    if (index < this.#index) this.#begin(index);
  }

  #begin(index: number): void {
    this.#index = index;
    this.#most = 0;
    this.#mostPossible = 0;
    this.#counts.clear();
    this.#last = undefined;
  }

  #countOf(bucket: string): Count {
    const known = this.#counts.get(bucket);
    if (known) return known;
    const made = { bucket, sure: 0, possible: 0 };
    this.#counts.set(bucket, made);
    return made;
  }

  /** The highest count in a window, and the number of buckets; 0 for a window other than the current one. */
  in(index: number): { readonly used: number; readonly possible: number; readonly buckets: number } {
    if (index !== this.#index) return { used: 0, possible: 0, buckets: 0 };
    return { used: this.#most, possible: this.#mostPossible, buckets: this.#counts.size };
  }
}

/** Open items by bucket, at most `most`: items that nobody follows would never be removed. */
export class OpenByBucket {
  readonly #most: number;
  readonly #open = new Map<string, string>();

  constructor(most: number) {
    this.#most = most;
  }

  add(id: string, bucket: string): void {
    if (this.#open.size < this.#most) this.#open.set(id, bucket);
  }

  delete(id: string): void {
    this.#open.delete(id);
  }

  /** The highest count, and the number of buckets with open items. */
  fullest(): { readonly used: number; readonly buckets: number } {
    const counts = new Map<string, number>();
    for (const bucket of this.#open.values()) counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
    return { used: Math.max(0, ...counts.values()), buckets: counts.size };
  }
}
