import type { LimitScope } from '../api/index.ts';

/** Whose request it was, by label. */
interface Labels {
  readonly application: string;
  readonly user: string;
  readonly token?: string;
  readonly conversation?: string;
}

/** Name of the bucket in which something counts: limits count by scope, never all together unless they say so. */
export function bucketName(scope: LimitScope, labels: Labels): string {
  return scope === 'address' ? '' : (labels[scope] ?? '');
}

interface Count {
  readonly bucket: string;
  n: number;
}

/** The fullest bucket of the present window; what was counted in windows before is forgotten. */
export class FullestBucket {
  #index = -1;
  #most = 0;
  readonly #counts = new Map<string, Count>();
  /** Mostly the next one counts in the same. */
  #last: Count | undefined;

  /** Counts one in a bucket, in the window of this index. */
  count(index: number, bucket: string): void {
    if (index !== this.#index) {
      this.#index = index;
      this.#most = 0;
      this.#counts.clear();
      this.#last = undefined;
    }
    if (this.#last?.bucket !== bucket) this.#last = this.#countOf(bucket);
    this.#last.n += 1;
    if (this.#last.n > this.#most) this.#most = this.#last.n;
  }

  #countOf(bucket: string): Count {
    const known = this.#counts.get(bucket);
    if (known) return known;
    const made = { bucket, n: 0 };
    this.#counts.set(bucket, made);
    return made;
  }

  /** How many the fullest has in the window of this index, and of how many. */
  in(index: number): { readonly used: number; readonly buckets: number } {
    return index === this.#index ? { used: this.#most, buckets: this.#counts.size } : { used: 0, buckets: 0 };
  }
}

/** What is open now, by bucket. Beyond `most` nothing is added: what nobody follows is never seen to end. */
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

  /** How many the fullest has, and of how many that have any. */
  fullest(): { readonly used: number; readonly buckets: number } {
    const counts = new Map<string, number>();
    for (const bucket of this.#open.values()) counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
    return { used: Math.max(0, ...counts.values()), buckets: counts.size };
  }
}
