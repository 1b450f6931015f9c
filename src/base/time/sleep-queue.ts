import { onAbort } from '../process/on-abort.ts';
import { TimeQueue } from './time-queue.ts';
import type { Micros } from './units.ts';

interface Sleeper {
  readonly resolve: () => void;
  awake: boolean;
  forget: () => void;
}

/** The sleepers of a clock. Those with equal instants wake in the order in which they were added. */
export class SleepQueue {
  readonly #sleepers = new TimeQueue<Sleeper>();
  readonly #onEarly: () => void;

  /** @param onEarly called when a sleeper was woken by its signal, because the earliest sleeper may have changed */
  constructor(onEarly: () => void = () => undefined) {
    this.#onEarly = onEarly;
  }

  /** Resolves when `wakeUntil` reaches `at`, or when the signal is aborted. */
  sleep(at: Micros, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const sleeper: Sleeper = { resolve, awake: false, forget: () => undefined };
      this.#sleepers.push(at, sleeper);
      // A sleeper that was woken early stays in the queue until it is the first.
      sleeper.forget = onAbort(signal, () => {
        sleeper.awake = true;
        resolve();
        this.#onEarly();
      });
    });
  }

  /** Instant of the earliest sleeper; `undefined` if there is none. */
  earliest(): Micros | undefined {
    for (let first = this.#sleepers.first; first; first = this.#sleepers.first) {
      if (!first.awake) return this.#sleepers.next;
      this.#sleepers.pop();
    }
    return undefined;
  }

  /** Wakes all sleepers whose instant is at or before `now`, in order. */
  wakeUntil(now: Micros): void {
    for (let at = this.earliest(); at !== undefined && at <= now; at = this.earliest()) this.wakeFirst();
  }

  /** Wakes the earliest sleeper. */
  wakeFirst(): void {
    const first = this.earliest() === undefined ? undefined : this.#sleepers.pop();
    if (!first) return;
    first.awake = true;
    first.forget();
    first.resolve();
  }
}
