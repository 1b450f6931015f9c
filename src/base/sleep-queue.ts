import { onAbort } from './on-abort.ts';
import type { Micros } from './units.ts';

interface Sleeper {
  readonly at: Micros;
  /** Breaks ties: sleepers with equal instants wake in the order in which they were added. */
  readonly order: number;
  readonly resolve: () => void;
  awake: boolean;
  forget: () => void;
}

const isBefore = (a: Sleeper, b: Sleeper): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

/** The sleepers of a clock in a binary heap: adding or waking one takes O(log n). */
export class SleepQueue {
  readonly #heap: Sleeper[] = [];
  readonly #onEarly: () => void;
  #order = 0;

  /** @param onEarly called when a sleeper was woken by its signal, because the earliest sleeper may have changed */
  constructor(onEarly: () => void = () => undefined) {
    this.#onEarly = onEarly;
  }

  /** Resolves when `wakeUntil` reaches `at`, or when the signal is aborted. */
  sleep(at: Micros, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const sleeper: Sleeper = { at, order: this.#order++, resolve, awake: false, forget: () => undefined };
      this.#push(sleeper);
      // A sleeper that was woken early stays in the heap until it reaches the top.
      sleeper.forget = onAbort(signal, () => {
        sleeper.awake = true;
        resolve();
        this.#onEarly();
      });
    });
  }

  /** Instant of the earliest sleeper; `undefined` if there is none. */
  earliest(): Micros | undefined {
    for (let first = this.#heap[0]; first; first = this.#heap[0]) {
      if (!first.awake) return first.at;
      this.#pop();
    }
    return undefined;
  }

  /** Wakes all sleepers whose instant is at or before `now`, in order. */
  wakeUntil(now: Micros): void {
    for (let at = this.earliest(); at !== undefined && at <= now; at = this.earliest()) this.wakeFirst();
  }

  /** Wakes the earliest sleeper. */
  wakeFirst(): void {
    const first = this.earliest() === undefined ? undefined : this.#pop();
    if (!first) return;
    first.awake = true;
    first.forget();
    first.resolve();
  }

  #push(sleeper: Sleeper): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(sleeper);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (!parent || !isBefore(sleeper, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = sleeper;
  }

  #pop(): Sleeper | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (!last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      let child = heap[below];
      if (!child) break;
      const other = heap[below + 1];
      if (other && isBefore(other, child)) {
        below += 1;
        child = other;
      }
      if (!isBefore(child, last)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}
