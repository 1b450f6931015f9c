import type { Clock } from './clock.ts';
import { SleepQueue } from './sleep-queue.ts';
import type { Micros } from './units.ts';

/**
 * A clock that advances only on demand, so that a day of traffic takes milliseconds and tests are exact.
 * Sleepers wake in the order of their instants; with equal instants, in the order in which they began to sleep.
 */
export class VirtualClock implements Clock {
  #now = 0 as Micros;
  readonly #sleepers = new SleepQueue();

  now(): Micros {
    return this.#now;
  }

  sleepUntil(at: Micros, signal?: AbortSignal): Promise<void> {
    return at <= this.#now || signal?.aborted ? Promise.resolve() : this.#sleepers.sleep(at, signal);
  }

  /** Sets the time without waking sleepers; for code that takes `now` as a number. */
  set(at: Micros): void {
    this.#now = at;
  }

  /**
   * Runs `work` to completion. Whenever nothing else can happen, time jumps to the next sleeper.
   * @throws Error if `work` is pending and nobody is asleep
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    let settled = false;
    const result = work().finally(() => {
      settled = true;
    });
    result.catch(() => undefined);
    for (;;) {
      await settle();
      if (settled) return result;
      const next = this.#sleepers.earliest();
      if (next === undefined) throw new Error('virtual time stands still: the work waits, but nothing is asleep');
      this.#now = Math.max(next, this.#now) as Micros;
      this.#sleepers.wakeFirst();
    }
  }
}

/** Waits one turn of the event loop; after it, every promise that can settle has settled. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
