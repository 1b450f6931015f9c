/** Keeps the `size` largest of all numbers added, in a min-heap. */
export class SmallestLast {
  readonly #size: number;
  readonly #heap: number[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** The smallest number kept, which is the `size`-th largest of all; −∞ while there are fewer. */
  get smallest(): number {
    return this.#heap.length < this.#size ? Number.NEGATIVE_INFINITY : (this.#heap[0] as number);
  }

  add(value: number): void {
    const heap = this.#heap;
    if (heap.length < this.#size) {
      let at = heap.length;
      for (let parent = (at - 1) >> 1; at > 0 && (heap[parent] as number) > value; parent = (at - 1) >> 1) {
        heap[at] = heap[parent] as number;
        at = parent;
      }
      heap[at] = value;
    } else if (value > (heap[0] as number)) this.#replaceSmallest(value);
  }

  #replaceSmallest(value: number): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child += 1;
      if ((heap[child] as number) >= value) break;
      heap[at] = heap[child] as number;
      at = child;
    }
    heap[at] = value;
  }
}
