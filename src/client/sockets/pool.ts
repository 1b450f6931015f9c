import { type Clock, type Micros, WaitQueue } from '../../base/index.ts';
import { IdleConnections, type Pooled } from './idle-connections.ts';

export type Opened<C> = { readonly connection: C } | { readonly failure: string };

/**
 * At most `size` connections, each lent to one caller at a time; first come, first served. A connection that the other side
 * closed is opened again only when it is needed: otherwise an idle service would get new connections during the whole run.
 */
export class ConnectionPool<C extends Pooled> {
  readonly #clock: Clock;
  readonly #open: (signal?: AbortSignal) => Promise<Opened<C>>;
  /** Lent or idle. */
  readonly #all = new Set<C>();
  /** The free ones; also knows whether a lent one was opened just now. */
  readonly idle: IdleConnections<C>;
  readonly #waiters = new WaitQueue();
  #free: number;
  #closed = false;

  constructor(clock: Clock, size: number, open: (signal?: AbortSignal) => Promise<Opened<C>>) {
    if (!Number.isInteger(size) || size < 1)
      throw new Error(`a pool needs a whole number of connections of at least 1, not ${size}`);
    this.#clock = clock;
    this.idle = new IdleConnections(clock);
    this.#free = size;
    this.#open = open;
  }

  /** Opens connections until `count` are idle or the signal is aborted; a few at a time, because a server's queue of new ones is short. */
  async warmUp(count: number, signal?: AbortSignal): Promise<readonly Opened<C>[]> {
    let missing = Math.min(count, this.#free) - this.idle.countUsable();
    const results: Opened<C>[] = [];
    const one = async () => results.push(this.#keep(await this.#openOne(signal)));
    const worker = async () => {
      while (missing-- > 0 && !this.#closed && !signal?.aborted) await one();
    };
    await Promise.all(Array.from({ length: WARM_UP_AT_ONCE }, worker));
    return results;
  }

  #keep(opened: Opened<C>): Opened<C> {
    if ('connection' in opened) {
      // Idle connections never exceed the free permits, so the size is kept even if callers open connections meanwhile.
      if (this.#closed || this.idle.size >= this.#free) this.#drop(opened.connection);
      else this.idle.add(opened.connection);
    }
    return opened;
  }

  /** An idle connection, at once; `undefined` if one would have to be waited for, opened, or looked at first. */
  tryAcquire(): C | undefined {
    // With no permit free, an idle connection is one that a waiter was just granted.
    const fresh = this.#free > 0 ? this.idle.takeFresh() : undefined;
    if (fresh !== undefined) this.#free--;
    return fresh;
  }

  /** `undefined` if the signal was aborted or the pool closed before one was free. What it lends must be given back. */
  async acquire(signal?: AbortSignal): Promise<Opened<C> | undefined> {
    const permit = this.#permit(signal);
    if (permit !== true && !(await permit)) return undefined;
    const fresh = this.idle.takeFresh();
    const lent = fresh ? { connection: fresh } : ((await this.#takeIdle()) ?? (await this.#openOne(signal)));
    if (!this.#closed && !signal?.aborted) return lent;
    this.release('connection' in lent ? lent.connection : undefined);
    return undefined;
  }

  /** Opens a replacement for a connection that turned out to be closed; the borrower keeps its permit. */
  replace(connection: C, signal?: AbortSignal): Promise<Opened<C>> {
    this.#drop(connection);
    return this.#openOne(signal);
  }

  /**
   * Gives back a connection, or (without one) the permit of a connection that could not be opened.
   * @param at current run time, if the caller knows it
   */
  release(connection?: C, at?: Micros): void {
    if (connection?.usable && !this.#closed) this.idle.rest(connection, at ?? this.#clock.now());
    else if (connection) this.#drop(connection);
    // The permit goes straight to the next waiter, so that no later caller can take it.
    if (!this.#waiters.grant()) this.#free++;
  }

  close(): void {
    this.#closed = true;
    this.idle.clear();
    for (const connection of this.#all) connection.close();
    this.#all.clear();
    this.#waiters.dismiss();
  }

  async #takeIdle(): Promise<Opened<C> | undefined> {
    for (let connection = this.idle.pop(); connection; connection = this.idle.pop()) {
      if (!this.idle.isFresh(connection)) await this.idle.look();
      if (connection.usable && this.#clock.now() < (connection.idleUntil ?? Number.POSITIVE_INFINITY) && !this.#closed)
        return { connection };
      this.#drop(connection);
    }
    return undefined;
  }

  async #openOne(signal?: AbortSignal): Promise<Opened<C>> {
    const opened = await this.#open(signal);
    if ('connection' in opened) {
      this.#all.add(opened.connection);
      this.idle.stamp(opened.connection, this.#clock.now());
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
