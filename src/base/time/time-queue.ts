import type { Micros } from './units.ts';

interface Entry<Item> {
  readonly at: Micros;
  readonly order: number;
  readonly item: Item;
}

/** Below this number of dead items, nothing is pruned. */
const PRUNED_FROM = 1_000;

/**
 * A priority queue (binary heap) of items by instant, earliest first; equal instants in the order of insertion. Adding or removing an
 * item takes O(log n).
 */
export class TimeQueue<Item> {
  #heap: Entry<Item>[] = [];
  #order = 0;

  get size(): number {
    return this.#heap.length;
  }

  /** The earliest instant; infinity if the queue is empty. */
  get next(): Micros {
    return (this.#heap[0]?.at ?? Number.POSITIVE_INFINITY) as Micros;
  }

  /** The earliest item; undefined if the queue is empty. */
  get first(): Item | undefined {
    return this.#heap[0]?.item;
  }

  push(at: Micros, item: Item): void {
    const heap = this.#heap;
    const entry = { at, order: this.#order++, item };
    let index = heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = heap[parent];
      if (!above || !isBefore(entry, above)) break;
      heap[index] = above;
      index = parent;
    }
    heap[index] = entry;
  }

  /** Removes the earliest item; undefined if the queue is empty. */
  pop(): Item | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (last && last !== first) this.#sink(last);
    return first?.item;
  }

  /**
   * Removes dead items once they are more than half of all. For owners that mark items as dead, because the queue cannot remove
   * single items.
   * @param living number of items that are alive
   */
  prune(living: number, isAlive: (item: Item) => boolean): void {
    if (this.#heap.length <= 2 * living + PRUNED_FROM) return;
    // A sorted array is a heap.
    this.#heap = this.#heap.filter(({ item }) => isAlive(item)).sort((a, b) => a.at - b.at || a.order - b.order);
  }

  /** Replaces the first entry and restores the heap order. */
  #sink(entry: Entry<Item>): void {
    const heap = this.#heap;
    let index = 0;
    for (;;) {
      let below = 2 * index + 1;
      let child = heap[below];
      const other = heap[below + 1];
      if (child && other && isBefore(other, child)) {
        child = other;
        below += 1;
      }
      if (!child || !isBefore(child, entry)) break;
      heap[index] = child;
      index = below;
    }
    heap[index] = entry;
  }
}

const isBefore = (a: Entry<unknown>, b: Entry<unknown>): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
