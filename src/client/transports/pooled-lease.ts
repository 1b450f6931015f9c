import type { ApiCall, ApiReply } from '../../api/index.ts';
import type { Clock } from '../../base/index.ts';
import { isPathWritable } from '../http/request.ts';
import type { Rested } from '../sockets/polls.ts';
import type { ConnectionPool } from '../sockets/pool.ts';
import { type Lease, unsentReply } from '../transport.ts';
import type { CallConnection, CallListener } from './call-connection.ts';

/** What a lease was asked to send, and its listener. */
interface Asked {
  readonly call: ApiCall;
  readonly signal: AbortSignal | undefined;
  readonly done: (reply: ApiReply) => void;
  readonly isWritable: boolean;
}

/**
 * A connection lent for one call. It listens itself for the connection's rest and for the answer: two functions per request would
 * be noticeable.
 */
export class PooledLease implements Lease, CallListener, Rested {
  readonly #pool: ConnectionPool<CallConnection>;
  readonly #clock: Clock;
  /** Absent if none could be opened; then there is a reason. */
  readonly #connection: CallConnection | undefined;
  readonly #failure: string | undefined;
  #isUsed = false;
  #asked: Asked | undefined;

  constructor(
    pool: ConnectionPool<CallConnection>,
    clock: Clock,
    connection: CallConnection | undefined,
    failure: string | undefined,
  ) {
    this.#pool = pool;
    this.#clock = clock;
    this.#connection = connection;
    this.#failure = failure;
  }

  release(): void {
    if (this.#isUsed) return;
    this.#isUsed = true;
    this.#pool.release(this.#connection);
  }

  /** The connection goes back in the turn in which the answer is complete, so that waiters are not delayed by promises. */
  send(call: ApiCall, signal: AbortSignal | undefined, done: Asked['done']): void {
    if (this.#isUsed) throw new Error('a lease sends one call; acquire another one');
    this.#isUsed = true;
    const connection = this.#connection;
    if (!connection || signal?.aborted) {
      this.#pool.release(connection);
      return done(unsent(this.#clock, signal?.aborted ? 'stopped' : (this.#failure ?? 'stopped'), call));
    }
    const isWritable = this.#isPathWritable(call, connection);
    this.#asked = { call, signal, done, isWritable };
    if (this.#pool.idle.isResting(connection)) this.#pool.idle.onceRested(connection, this);
    else this.rested();
  }

  #isPathWritable(call: ApiCall, connection: CallConnection): boolean {
    try {
      return isPathWritable(call);
    } catch (error) {
      this.#pool.release(connection);
      throw error;
    }
  }

  /** Even a call that cannot be sent waits for the look: a user who sends nothing else must not keep the loop from its sockets. */
  rested(): void {
    const [connection, asked] = [this.#connection, this.#asked];
    if (!connection || !asked) return;
    const { call, signal, done, isWritable } = asked;
    if (isWritable && !signal?.aborted) return connection.send(call, signal, this);
    this.#pool.release(connection);
    done(unsent(this.#clock, signal?.aborted ? 'stopped' : 'invalid-request', call));
  }

  replied(reply: ApiReply | undefined): void {
    const [connection, asked] = [this.#connection, this.#asked];
    if (!connection || !asked) return;
    if (reply === undefined) return void this.#sendElsewhere(connection, asked).then(asked.done);
    this.#pool.release(connection, reply.receivedAt);
    asked.done(reply);
  }

  /** Once only: a second socket that is closed before it can be used is the service's doing. */
  async #sendElsewhere(closed: CallConnection, { call, signal }: Asked): Promise<ApiReply> {
    const opened = await this.#pool.replace(closed, signal);
    const connection = 'connection' in opened ? opened.connection : undefined;
    try {
      if ('failure' in opened) return unsent(this.#clock, opened.failure, call);
      await new Promise<void>((rested) => this.#pool.idle.onceRested(opened.connection, { rested }));
      if (signal?.aborted) return unsent(this.#clock, 'stopped', call);
      const reply = await new Promise<ApiReply | undefined>((replied) =>
        opened.connection.send(call, signal, { replied }),
      );
      return reply ?? unsent(this.#clock, 'closed-before-answer', call);
    } finally {
      this.#pool.release(connection);
    }
  }
}

/** The reply of a call of which nothing was sent. */
export function unsent(clock: Clock, failure: string, { onSending }: ApiCall): ApiReply {
  onSending?.();
  const outcome =
    failure === 'stopped' ? ({ kind: 'censored', failure } as const) : ({ kind: 'failed', failure } as const);
  return unsentReply(clock.now(), outcome);
}
