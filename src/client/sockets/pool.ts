import { type Clock, type Micros, WaitQueue } from '../../base/index.ts';
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

export type Opened<C> = { readonly connection: C } | { readonly failure: string };

/**
 * At most `size` connections, each lent to one caller at a time; waiters are served first come first served.
 * The most recently used connection is lent first, so that the others may idle away rather than each go stale in turn; but
 * those that rest (`isResting`) only where there is no other.
 * A connection that the other side closed is opened again when it is needed, not before: eager reopening would knock at
 * an idle service for the whole run.
 */
export class ConnectionPool<C extends Pooled> {
  readonly #clock: Clock;
  readonly #open: (signal?: AbortSignal) => Promise<Opened<C>>;
  readonly #polls = new Polls();
  readonly #idle: C[] = [];
  /** Given back since the loop last looked at its sockets. */
  readonly #resting: C[] = [];
  readonly #waiters = new WaitQueue();
  /** Lent or idle. */
  readonly #all = new Set<C>();
  #free: number;
  #closed = false;

  constructor(clock: Clock, size: number, open: (signal?: AbortSignal) => Promise<Opened<C>>) {
    if (!Number.isInteger(size) || size < 1)
      throw new Error(`a pool needs a whole number of connections of at least 1, not ${size}`);
    this.#clock = clock;
    this.#free = size;
    this.#open = open;
  }

  /** Opens until `count` are idle or the signal is aborted; a few at a time, as a server's queue of new ones is short. */
  async warmUp(count: number, signal?: AbortSignal): Promise<readonly Opened<C>[]> {
    let missing = Math.min(count, this.#free) - this.#countUsable();
    const results: Opened<C>[] = [];
    const one = async () => results.push(this.#keep(await this.#openOne(signal)));
    const worker = async () => {
      while (missing-- > 0 && !this.#closed && !signal?.aborted) await one();
    };
    await Promise.all(Array.from({ length: WARM_UP_AT_ONCE }, worker));
    return results;
  }

  #countUsable(): number {
    const usable = (connection: C) => connection.usable;
    return this.#idle.filter(usable).length + this.#resting.filter(usable).length;
  }

  #keep(opened: Opened<C>): Opened<C> {
    if ('connection' in opened) {
      // What is idle never exceeds what may still be lent, so that the size holds while callers open beside this.
      if (this.#closed || this.#idle.length + this.#resting.length >= this.#free) this.#drop(opened.connection);
      else this.#idle.push(opened.connection);
    }
    return opened;
  }

  /** An idle connection, at once; `undefined` where one would have to be waited for, opened, or looked at first. */
  tryAcquire(): C | undefined {
    const fresh = this.#free > 0 && this.#waiters.size === 0 ? this.#takeFresh() : undefined;
    if (fresh !== undefined) this.#free--;
    return fresh;
  }

  /** `undefined` when the signal was aborted or the pool closed before one was free. What it lends must be given back. */
  async acquire(signal?: AbortSignal): Promise<Opened<C> | undefined> {
    const permit = this.#permit(signal);
    if (permit !== true && !(await permit)) return undefined;
    const fresh = this.#takeFresh();
    const lent = fresh ? { connection: fresh } : ((await this.#takeIdle()) ?? (await this.#openOne(signal)));
    if (!this.#closed && !signal?.aborted) return lent;
    if ('connection' in lent && this.#closed) lent.connection.close();
    this.release('connection' in lent ? lent.connection : undefined);
    return undefined;
  }

  /** Opens in place of a connection that turned out to be closed; the borrower's permit goes on. */
  replace(connection: C, signal?: AbortSignal): Promise<Opened<C>> {
    this.#drop(connection);
    return this.#openOne(signal);
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

  /**
   * Gives back a connection, or (with none) the right to one that could not be opened.
   * @param at now, where the caller knows it
   */
  release(connection?: C, at?: Micros): void {
    if (connection?.usable && !this.#closed) this.#rest(connection, at ?? this.#clock.now());
    else if (connection) this.#drop(connection);
    // The right to a connection goes straight to the next one: nobody who comes meanwhile can take it.
    if (!this.#waiters.grant()) this.#free++;
  }

  close(): void {
    this.#closed = true;
    this.#idle.length = 0;
    this.#resting.length = 0;
    for (const connection of this.#all) connection.close();
    this.#all.clear();
    this.#waiters.dismiss();
  }

  #rest(connection: C, at: Micros): void {
    this.#wake();
    connection.restsSince = this.#polls.mark();
    connection.idleSince = at;
    this.#resting.push(connection);
  }

  /** Those that have rested are idle like the others. */
  #wake(): void {
    const first = this.#resting[0];
    if (first === undefined || this.isResting(first)) return;
    for (const rested of this.#resting) this.#idle.push(rested);
    this.#resting.length = 0;
  }

  #popIdle(): C | undefined {
    this.#wake();
    return this.#idle.pop() ?? this.#resting.shift();
  }

  /** Mostly the one that was just given back: whoever waits for a connection waits for no more than that. */
  #takeFresh(): C | undefined {
    const idle = this.#closed ? undefined : this.#popIdle();
    if (idle === undefined || (this.#isFresh(idle) && idle.usable)) return idle;
    this.#idle.push(idle);
    return undefined;
  }

  async #takeIdle(): Promise<Opened<C> | undefined> {
    for (let connection = this.#popIdle(); connection; connection = this.#popIdle()) {
      if (!this.#isFresh(connection)) await this.#look();
      if (connection.usable && this.#clock.now() < (connection.idleUntil ?? Number.POSITIVE_INFINITY) && !this.#closed)
        return { connection };
      this.#drop(connection);
    }
    return undefined;
  }

  #look(): Promise<void> {
    return new Promise((rested) => this.#polls.once(this.#polls.mark(), { rested }));
  }

  #isFresh(connection: C): boolean {
    const { idleUntil = Number.POSITIVE_INFINITY, idleSince = 0 } = connection;
    if (idleUntil === Number.POSITIVE_INFINITY && this.isResting(connection)) return true;
    const now = this.#clock.now();
    return now - idleSince <= LONG_IDLE_US && now < idleUntil;
  }

  async #openOne(signal?: AbortSignal): Promise<Opened<C>> {
    const opened = await this.#open(signal);
    if ('connection' in opened) {
      this.#all.add(opened.connection);
      opened.connection.restsSince = this.#polls.mark();
      opened.connection.idleSince = this.#clock.now();
    }
    return opened;
  }

  #drop(connection: C): void {
    this.#all.delete(connection);
    connection.close();
  }

  #permit(signal?: AbortSignal): Promise<boolean> | boolean {
    if (this.#closed || signal?.aborted) return false;
    if (this.#free > 0) {
      this.#free--;
      return true;
    }
    return this.#waiters.wait(signal);
  }
}

const WARM_UP_AT_ONCE = 128;

/** Idle for longer than this, a connection may have been closed without our having read it yet. */
const LONG_IDLE_US = 500_000;
