/** The largest of neighbouring numbers, by a tree of the larger of each two: made in O(n), asked in O(log n). */
export class Peaks {
  /** Number k stands at n + k; above 2i and 2i + 1, at i, the larger of the two. */
  readonly #tree: Int32Array;

  constructor(values: Int32Array) {
    const size = values.length;
    this.#tree = new Int32Array(2 * size);
    this.#tree.set(values, size);
    for (let i = size - 1; i > 0; i--)
      this.#tree[i] = Math.max(this.#tree[2 * i] as number, this.#tree[2 * i + 1] as number);
  }

  /** The largest of those from `from` on, up to `end` (exclusive); −∞ if there is none. */
  within(from: number, end: number): number {
    let largest = Number.NEGATIVE_INFINITY;
    const size = this.#tree.length / 2;
    for (let [left, right] = [from + size, end + size]; left < right; left >>= 1, right >>= 1) {
      if (left % 2 === 1) largest = Math.max(largest, this.#tree[left++] as number);
      if (right % 2 === 1) largest = Math.max(largest, this.#tree[--right] as number);
    }
    return largest;
  }
}
