import type { Clock, Micros } from '../../base/index.ts';
import { Polls, type Rested } from './polls.ts';

/** A connection in a pool. */
export interface Pooled {
  /** Whether a call can be sent on it now. Becomes false when the other side closes it or sends unrequested bytes. */
  readonly usable: boolean;
  /** Run time from which on the other side may close it as idle; absent if it does not say. */
  readonly idleUntil?: Micros | undefined;
  /** The pool's own notes: when it was last used or opened, as a mark of `Polls`, and since when it is idle. */
  restsSince?: number;
  idleSince?: Micros;
  close(): void;
}

/** After a longer idle time, µs, the other side may have closed it without our having read that yet. */
const LONG_IDLE_US = 500_000;

/**
 * The free connections of a pool, and which one is lent next: the one used last, so that the others become idle instead of each
 * going stale in turn; but resting ones (`isResting`) only if there is no other.
 */
export class IdleConnections<C extends Pooled> {
  readonly #clock: Clock;
  readonly #polls = new Polls();
  readonly #idle: C[] = [];
  /** Given back since the event loop last looked at its sockets. */
  readonly #resting: C[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#idle.length + this.#resting.length;
  }

  countUsable(): number {
    const usable = (connection: C) => connection.usable;
    return this.#idle.filter(usable).length + this.#resting.filter(usable).length;
  }

  /** Adds a connection that was opened and stamped. */
  add(connection: C): void {
    this.#idle.push(connection);
  }

  /** Notes that it was used or opened. */
  stamp(connection: C, at: Micros): void {
    connection.restsSince = this.#polls.mark();
    connection.idleSince = at;
  }

  /** Adds a connection that was used. */
  rest(connection: C, at: Micros): void {
    this.#wake();
    this.stamp(connection, at);
    this.#resting.push(connection);
  }

  clear(): void {
    this.#idle.length = 0;
    this.#resting.length = 0;
  }

  /**
   * Whether a connection was used or opened since the loop last looked at its sockets. It may hold bytes that arrived before the
   * next request and would be taken for its answer, so that request waits for a look (`onceRested`).
   */
  isResting({ restsSince }: C): boolean {
    return restsSince !== undefined && !this.#polls.isOver(restsSince);
  }

  /** Calls when it no longer rests: by then, unrequested bytes have made the connection unusable. */
  onceRested({ restsSince }: C, waiting: Rested): void {
    this.#polls.once(restsSince ?? 0, waiting);
  }

  /** Connections that have rested are idle like the others. */
  #wake(): void {
    const first = this.#resting[0];
    if (first === undefined || this.isResting(first)) return;
    for (const rested of this.#resting) this.#idle.push(rested);
    this.#resting.length = 0;
  }

  pop(): C | undefined {
    this.#wake();
    return this.#idle.pop() ?? this.#resting.shift();
  }

  /** Mostly the connection that was just given back: a caller that waits for a connection waits for nothing more. */
  takeFresh(): C | undefined {
    const idle = this.pop();
    if (idle === undefined || (this.isFresh(idle) && idle.usable)) return idle;
    this.#idle.push(idle);
    return undefined;
  }

  /** Resolves when the loop has looked at its sockets. */
  look(): Promise<void> {
    return new Promise((rested) => this.#polls.once(this.#polls.mark(), { rested }));
  }

  /** Whether there is no reason to assume that it was closed meanwhile; otherwise a look at the sockets shows it. */
  isFresh(connection: C): boolean {
    const { idleUntil = Number.POSITIVE_INFINITY, idleSince = 0 } = connection;
    if (idleUntil === Number.POSITIVE_INFINITY && this.isResting(connection)) return true;
    const now = this.#clock.now();
    return now - idleSince <= LONG_IDLE_US && now < idleUntil;
  }
}
