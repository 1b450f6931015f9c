import type { Clock, Micros } from '../../base/index.ts';
import { onAbort } from './on-abort.ts';

/** What a pool keeps. */
export interface Pooled {
  /** Whether a call can be sent on it now. Turns false when the other side closes it. */
  readonly usable: boolean;
  close(): void;
}

export type Opened<C> = { readonly connection: C } | { readonly failure: string };

/**
 * At most `size` connections, each lent to one caller at a time; waiters are served first come first served.
 * The most recently used connection is lent first, so that the others may idle away rather than each go stale in turn.
 * A connection that the other side closed is opened again when it is needed, not before: eager reopening would knock at
 * an idle service for the whole run.
 */
export class ConnectionPool<C extends Pooled> {
  readonly #clock: Clock;
  readonly #open: (signal?: AbortSignal) => Promise<Opened<C>>;
  readonly #idle: { readonly connection: C; readonly since: Micros }[] = [];
  readonly #waiters = new Set<() => void>();
  readonly #lent = new Set<C>();
  #free: number;
  #closed = false;

  constructor(clock: Clock, size: number, open: (signal?: AbortSignal) => Promise<Opened<C>>) {
    if (!Number.isInteger(size) || size < 1)
      throw new Error(`a pool needs a whole number of connections of at least 1, not ${size}`);
    this.#clock = clock;
    this.#free = size;
    this.#open = open;
  }

  /** Opens until `count` connections are idle; a few at a time, as a server's queue of new connections is short. */
  async warmUp(count: number): Promise<readonly Opened<C>[]> {
    let missing = Math.min(count, this.#free) - this.#idle.filter(({ connection }) => connection.usable).length;
    const results: Opened<C>[] = [];
    const worker = async () => {
      while (missing-- > 0 && !this.#closed) results.push(this.#keep(await this.#open()));
    };
    await Promise.all(Array.from({ length: WARM_UP_AT_ONCE }, worker));
    return results;
  }

  #keep(opened: Opened<C>): Opened<C> {
    if ('connection' in opened) {
      // What is idle never exceeds what may still be lent, so that the size holds while callers open beside this.
      if (this.#closed || this.#idle.length >= this.#free) opened.connection.close();
      else this.#idle.push({ connection: opened.connection, since: this.#clock.now() });
    }
    return opened;
  }

  /** `undefined` when the signal was aborted or the pool closed before one was free. What it lends must be given back. */
  async acquire(signal?: AbortSignal): Promise<Opened<C> | undefined> {
    if (!(await this.#permit(signal))) return undefined;
    const lent = (await this.#takeIdle()) ?? (await this.#open(signal));
    if (this.#closed || signal?.aborted) {
      if ('connection' in lent && this.#closed) lent.connection.close();
      this.release('connection' in lent ? lent.connection : undefined);
      return undefined;
    }
    if ('connection' in lent) this.#lent.add(lent.connection);
    return lent;
  }

  /** Opens in place of a connection that turned out to be closed; the borrower's permit goes on. */
  async replace(connection: C, signal?: AbortSignal): Promise<Opened<C>> {
    this.#lent.delete(connection);
    connection.close();
    const opened = await this.#open(signal);
    if ('connection' in opened) this.#lent.add(opened.connection);
    return opened;
  }

  /** Gives back a connection, or (with none) the right to one that could not be opened. */
  release(connection?: C): void {
    if (connection) {
      this.#lent.delete(connection);
      if (connection.usable && !this.#closed) this.#idle.push({ connection, since: this.#clock.now() });
      else connection.close();
    }
    this.#free++;
    const [next] = this.#waiters;
    if (next) next();
  }

  close(): void {
    this.#closed = true;
    for (const connection of [...this.#idle.splice(0).map((idle) => idle.connection), ...this.#lent])
      connection.close();
    for (const wake of [...this.#waiters]) wake();
  }

  async #takeIdle(): Promise<Opened<C> | undefined> {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      const { connection, since } = idle;
      if (this.#clock.now() - since > LONG_IDLE_US) await readPending();
      if (connection.usable && !this.#closed) return { connection };
      connection.close();
    }
    return undefined;
  }

  #permit(signal?: AbortSignal): Promise<boolean> | boolean {
    if (this.#closed || signal?.aborted) return false;
    if (this.#free > 0) {
      this.#free--;
      return true;
    }
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiters.delete(wake);
        forget();
        const granted = !this.#closed && !signal?.aborted && this.#free > 0;
        if (granted) this.#free--;
        resolve(granted);
      };
      this.#waiters.add(wake);
      const forget = onAbort(signal, wake);
    });
  }
}

const WARM_UP_AT_ONCE = 128;

/** Idle for longer than this, a connection may have been closed without our having read it yet. */
const LONG_IDLE_US = 500_000;

/** Lets the event loop read what sockets hold: the second turn comes after a poll, wherever the first was asked for. */
const readPending = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
