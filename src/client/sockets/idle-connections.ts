import type { Clock, Micros } from '../../base/index.ts';
import { Polls, type Rested } from './polls.ts';

/** What a pool keeps. */
export interface Pooled {
  /** Whether a call can be sent on it now. Turns false when the other side closes it, or sends what nobody asked for. */
  readonly usable: boolean;
  /** Run time from which on the other side may close it for having been idle; absent where it does not say. */
  readonly idleUntil?: Micros | undefined;
  /** The pool's own notes: when it was last used or opened, as a mark of `Polls`, and since when it is idle. */
  restsSince?: number;
  idleSince?: Micros;
  close(): void;
}

/** Idle for longer than this, a connection may have been closed without our having read it yet. */
const LONG_IDLE_US = 500_000;

/**
 * The connections of a pool that nobody uses, and which of them is lent next: the one used last, so that the others may idle away
 * rather than each go stale in turn; but those that rest (`isResting`) only where there is no other.
 */
export class IdleConnections<C extends Pooled> {
  readonly #clock: Clock;
  readonly #polls = new Polls();
  readonly #idle: C[] = [];
  /** Given back since the loop last looked at its sockets. */
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

  /** One that was opened, and stamped. */
  add(connection: C): void {
    this.#idle.push(connection);
  }

  /** Notes that it was used or opened. */
  stamp(connection: C, at: Micros): void {
    connection.restsSince = this.#polls.mark();
    connection.idleSince = at;
  }

  /** One that was used. */
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
   * Whether a connection was used, or opened, since the loop last looked at its sockets. It may hold bytes that were there
   * before the next request and would be taken for the answer to it, so that request waits for a look (`onceRested`).
   */
  isResting({ restsSince }: C): boolean {
    return restsSince !== undefined && !this.#polls.isOver(restsSince);
  }

  /** Tells when it rests no more: what nobody asked for has made the connection unusable by then. */
  onceRested({ restsSince }: C, waiting: Rested): void {
    this.#polls.once(restsSince ?? 0, waiting);
  }

  /** Those that have rested are idle like the others. */
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

  /** Mostly the one that was just given back: whoever waits for a connection waits for no more than that. */
  takeFresh(): C | undefined {
    const idle = this.pop();
    if (idle === undefined || (this.isFresh(idle) && idle.usable)) return idle;
    this.#idle.push(idle);
    return undefined;
  }

  /** Ends when the loop has looked at its sockets. */
  look(): Promise<void> {
    return new Promise((rested) => this.#polls.once(this.#polls.mark(), { rested }));
  }

  /** Whether nothing speaks for its having been closed meanwhile: else a look at the sockets tells. */
  isFresh(connection: C): boolean {
    const { idleUntil = Number.POSITIVE_INFINITY, idleSince = 0 } = connection;
    if (idleUntil === Number.POSITIVE_INFINITY && this.isResting(connection)) return true;
    const now = this.#clock.now();
    return now - idleSince <= LONG_IDLE_US && now < idleUntil;
  }
}
