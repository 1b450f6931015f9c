import { setMaxListeners } from 'node:events';
import type { Clock, Micros } from '../../base/index.ts';
import { onDeadline } from '../sockets/deadline.ts';

/** Something that waits for an answer and can be ended from outside. */
export interface Waiting {
  /** Run time at which it stops waiting; absent while it waits for nothing. */
  readonly waitsUntil: Micros | undefined;
  /** The signal that stops it. */
  readonly stopsWith: AbortSignal | undefined;
  expire(): void;
  stop(): void;
}

/**
 * Deadlines and stops of all connections of a transport: one timer for the earliest deadline and one listener per signal. A timer
 * and a listener for each request would cost more than sending it.
 */
export class Watch {
  readonly #clock: Clock;
  readonly #all = new Set<Waiting>();
  readonly #signals = new WeakSet<AbortSignal>();
  /** The signal used last: nearly always it is the same again. */
  #lastSignal: AbortSignal | undefined;
  #armedFor = Number.POSITIVE_INFINITY;
  #callOff: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(waiting: Waiting): void {
    this.#all.add(waiting);
  }

  remove(waiting: Waiting): void {
    this.#all.delete(waiting);
    if (this.#all.size === 0) this.#disarm();
  }

  /** A connection waits from now on until `at`, or until the signal is aborted. */
  began(at: Micros, signal: AbortSignal | undefined): void {
    if (at < this.#armedFor) this.#arm(at);
    if (signal === this.#lastSignal) return;
    this.#lastSignal = signal;
    if (signal === undefined || this.#signals.has(signal)) return;
    this.#signals.add(signal);
    setMaxListeners(0, signal);
    signal.addEventListener('abort', () => this.#stopAll(signal), { once: true });
  }

  #arm(at: Micros): void {
    this.#callOff();
    this.#armedFor = at;
    this.#callOff = onDeadline(this.#clock, at, () => this.#sweep());
  }

  #disarm(): void {
    this.#callOff();
    this.#armedFor = Number.POSITIVE_INFINITY;
  }

  /** Ends whatever is overdue; the answer for which the timer was set has mostly arrived long ago. */
  #sweep(): void {
    this.#armedFor = Number.POSITIVE_INFINITY;
    const now = this.#clock.now();
    let next = Number.POSITIVE_INFINITY;
    for (const waiting of [...this.#all]) {
      const at = waiting.waitsUntil;
      if (at === undefined) continue;
      if (at <= now) waiting.expire();
      else next = Math.min(next, at);
    }
    if (next < this.#armedFor) this.#arm(next as Micros);
  }

  #stopAll(signal: AbortSignal): void {
    for (const waiting of [...this.#all]) if (waiting.stopsWith === signal) waiting.stop();
  }
}
