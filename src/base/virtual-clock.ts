import type { Clock } from './clock.ts';
import type { Micros } from './units.ts';

interface Sleeper {
  readonly at: Micros;
  readonly order: number;
  readonly wake: () => void;
}

/**
 * A clock that moves only when told, so that a day of traffic takes milliseconds and every test is exact.
 * Sleepers wake in the order of their instants; equal instants, in the order in which they fell asleep.
 */
export class VirtualClock implements Clock {
  #now = 0 as Micros;
  #order = 0;
  #sleepers: Sleeper[] = [];

  now(): Micros {
    return this.#now;
  }

  sleepUntil(at: Micros, signal?: AbortSignal): Promise<void> {
    if (at <= this.#now || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wakeEarly = () => this.#wakeEarly(sleeper);
      // A listener that stayed would be searched by every later one: a signal's list of listeners is linear.
      const wake = () => {
        signal?.removeEventListener('abort', wakeEarly);
        resolve();
      };
      const sleeper: Sleeper = { at, order: this.#order++, wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', wakeEarly, { once: true });
    });
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
      const next = this.#takeEarliest();
      if (!next) throw new Error('virtual time stands still: the work waits, but nothing is asleep');
      this.#now = Math.max(next.at, this.#now) as Micros;
      next.wake();
    }
  }

  #takeEarliest(): Sleeper | undefined {
    this.#sleepers.sort((a, b) => a.at - b.at || a.order - b.order);
    return this.#sleepers.shift();
  }

  #wakeEarly(sleeper: Sleeper): void {
    const index = this.#sleepers.indexOf(sleeper);
    if (index < 0) return;
    this.#sleepers.splice(index, 1);
    sleeper.wake();
  }
}

/** One turn of the event loop: every promise that can settle has settled. */
const quiet = () => new Promise<void>((resolve) => setImmediate(resolve));
