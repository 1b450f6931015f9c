import type { Micros } from '../../base/index.ts';
import { MicrosHistogram } from './histogram.ts';

/** The sum of several histograms; the histogram itself if there is only one, `undefined` if there is none. */
export function merged(histograms: readonly (MicrosHistogram | undefined)[]): MicrosHistogram | undefined {
  const [first, ...others] = histograms.filter((histogram) => histogram !== undefined);
  if (others.length === 0) return first;
  const all = new MicrosHistogram(first?.about);
  for (const histogram of histograms) if (histogram) all.add(histogram);
  return all;
}

/** One histogram per key, created on first use. */
export class HistogramsBy<K extends string> {
  readonly #byKey = new Map<K, MicrosHistogram>();
  readonly #about: MicrosHistogram['about'];

  constructor(about: MicrosHistogram['about'] = 'service') {
    this.#about = about;
  }

  record(key: K, us: number, at?: Micros): void {
    this.#of(key).record(us, at);
  }

  merge(other: HistogramsBy<K>): void {
    for (const [key, histogram] of other.#byKey) this.#of(key).add(histogram);
  }

  get(key: K): MicrosHistogram | undefined {
    return this.#byKey.get(key);
  }

  /** In the order of the keys. */
  entries(): (readonly [K, MicrosHistogram])[] {
    return [...this.#byKey].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  #of(key: K): MicrosHistogram {
    let histogram = this.#byKey.get(key);
    if (!histogram) {
      histogram = new MicrosHistogram(this.#about);
      this.#byKey.set(key, histogram);
    }
    return histogram;
  }
}
