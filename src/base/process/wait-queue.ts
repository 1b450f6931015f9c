import { onAbort } from './on-abort.ts';

interface Waiter {
  /** `undefined` once the waiter was served or gave up. */
  resolve: ((granted: boolean) => void) | undefined;
  forget: () => void;
}

/**
 * A first-come-first-served queue of waiters. Every operation takes amortised constant time: when a service stalls for a second,
 * tens of thousands may be waiting.
 */
export class WaitQueue {
  /** Entries before `#first` have been removed. */
  #waiters: (Waiter | undefined)[] = [];
  #first = 0;
  #size = 0;

  /** Number of waiters. */
  get size(): number {
    return this.#size;
  }

  /** Resolves with true when it is granted; with false if the signal was aborted or all waiters were dismissed. */
  wait(signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiter: Waiter = { resolve, forget: () => undefined };
      waiter.forget = onAbort(signal, () => this.#settle(waiter, false));
      this.#waiters.push(waiter);
      this.#size++;
    });
  }

  /** Grants the first waiter. @returns false if there is none */
  grant(): boolean {
    while (this.#first < this.#waiters.length) {
      const waiter = this.#waiters[this.#first];
      this.#waiters[this.#first++] = undefined;
      this.#compact();
      if (waiter && this.#settle(waiter, true)) return true;
    }
    return false;
  }

  /** Dismisses all waiters. */
  dismiss(): void {
    const waiters = this.#waiters.slice(this.#first);
    this.#waiters = [];
    this.#first = 0;
    for (const waiter of waiters) if (waiter) this.#settle(waiter, false);
  }

  #settle(waiter: Waiter, granted: boolean): boolean {
    const { resolve } = waiter;
    if (!resolve) return false;
    waiter.resolve = undefined;
    waiter.forget();
    this.#size--;
    resolve(granted);
    return true;
  }

  #compact(): void {
    if (this.#first < 1_024 || this.#first * 2 < this.#waiters.length) return;
    this.#waiters = this.#waiters.slice(this.#first);
    this.#first = 0;
  }
}
