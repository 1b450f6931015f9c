import type { Clock } from './clock.ts';
import { SleepQueue } from './sleep-queue.ts';
import type { Micros } from './units.ts';

/**
 * A clock that moves only when told, so that a day of traffic takes milliseconds and every test is exact.
 * Sleepers wake in the order of their instants; equal instants, in the order in which they fell asleep.
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

  /** Sets the time without waking anybody; for a core that takes `now` as a number. */
  set(at: Micros): void {
    this.#now = at;
  }

  /**
   * Runs `work` to its end, jumping from sleeper to sleeper whenever nothing else can happen.
   * @throws Error when `work` waits for something that no sleeper will ever bring about.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    let settled = false;
    const result = work().finally(() => {
      settled = true;
    });
    result.catch(() => undefined);
    for (;;) {
      await quiet();
      if (settled) return result;
      const next = this.#sleepers.earliest();
      if (next === undefined) throw new Error('virtual time stands still: the work waits, but nothing is asleep');
      this.#now = Math.max(next, this.#now) as Micros;
      this.#sleepers.wakeFirst();
    }
  }
}

/** One turn of the event loop: every promise that can settle has settled. */
const quiet = () => new Promise<void>((resolve) => setImmediate(resolve));
