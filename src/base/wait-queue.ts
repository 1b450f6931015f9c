import { onAbort } from './on-abort.ts';

interface Waiter {
  /** Undefined once it was served or gave up. */
  resolve: ((granted: boolean) => void) | undefined;
  forget: () => void;
}

/**
 * Who waits for something, first come first served. Every operation takes constant time, on average, however many wait: a
 * service that stands still for a second leaves tens of thousands waiting.
 */
export class WaitQueue {
  /** Those before `#first` are gone. */
  #waiters: (Waiter | undefined)[] = [];
  #first = 0;
  #size = 0;

  /** How many wait. */
  get size(): number {
    return this.#size;
  }

  /** Resolves with true when it is this one's turn; with false when the signal was aborted or all were sent away. */
  wait(signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiter: Waiter = { resolve, forget: () => undefined };
      waiter.forget = onAbort(signal, () => this.#settle(waiter, false));
      this.#waiters.push(waiter);
      this.#size++;
    });
  }

  /** Lets the first one pass. @returns false when nobody waits */
  grant(): boolean {
    while (this.#first < this.#waiters.length) {
      const waiter = this.#waiters[this.#first];
      this.#waiters[this.#first++] = undefined;
      this.#compact();
      if (waiter && this.#settle(waiter, true)) return true;
    }
    return false;
  }

  /** Sends everybody away. */
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
