/** Counts per key. */
export class Counts<K extends string> {
  readonly #counts = new Map<K, number>();

  add(key: K, count = 1): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  merge(other: Counts<K>): void {
    for (const [key, count] of other.#counts) this.add(key, count);
  }

  /** Of each of these keys; 0 for one that was never counted. */
  of<Key extends K>(keys: readonly Key[]): Record<Key, number> {
    return Object.fromEntries(keys.map((key) => [key, this.#counts.get(key) ?? 0])) as Record<Key, number>;
  }

  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** In the order of the keys; only what was counted. */
  entries(): (readonly [K, number])[] {
    return [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  toObject(): Partial<Record<K, number>> {
    return Object.fromEntries(this.entries()) as Partial<Record<K, number>>;
  }
}

const SEPARATOR = '\u0000';
/** Replaces the separator within a part: a service's code, or a label in an edited journal, may contain it. */
const REPLACEMENT = '\u2400';

declare const parts: unique symbol;
/** A text made of several; its type remembers which. */
export type Key<Parts extends readonly string[]> = string & { readonly [parts]: Parts };

/** Joins keys of several parts, which `partsOf` splits again. */
export const keyOf = <Parts extends readonly string[]>(...parts: Parts): Key<Parts> =>
  (parts.some((part) => part.includes(SEPARATOR))
    ? parts.map((part) => part.replaceAll(SEPARATOR, REPLACEMENT))
    : parts
  ).join(SEPARATOR) as Key<Parts>;
export const partsOf = <Parts extends readonly string[]>(key: Key<Parts>): Parts =>
  key.split(SEPARATOR) as unknown as Parts;
