import type { ApiCall, ApiReply } from '../../api/index.ts';
import { type Clock, onAbort } from '../../base/index.ts';
import { isPathWritable } from '../http/request.ts';
import { type Target, targetOf } from '../http/target.ts';
import { type OpenedSocket, SocketOpener } from '../sockets/opener.ts';
import type { Rested } from '../sockets/polls.ts';
import { ConnectionPool, type Pooled } from '../sockets/pool.ts';
import { Unasked } from '../sockets/unasked.ts';
import {
  DEFAULT_MAX_ANSWER_BYTES,
  type Lease,
  type StreamLease,
  type Transport,
  type TransportOptions,
  unsentReply,
} from '../transport.ts';
import { StreamOpener } from '../websocket.ts';

/** Who is told, once, what came of a call. */
export interface CallListener {
  /** @param reply `undefined`: not a byte of it was written, it may go on another connection without being a retry */
  replied(reply: ApiReply | undefined): void;
}

type Settled = (reply: ApiReply) => void;

/** What a transport is: a way to send one request on one socket. The pool, leases and streams are the same for all. */
export interface CallConnection extends Pooled {
  /**
   * Sends once and tells the listener once what came of it; `call.deadlineUs` counts from `sentAt`. `call.onSending` is not
   * called where the listener is told `undefined`, because the other side had closed the idle socket.
   * The call has its path parameters.
   */
  send(call: ApiCall, signal: AbortSignal | undefined, listener: CallListener): void;
}

export interface ConnectionSettings {
  readonly clock: Clock;
  readonly target: Target;
  readonly maxAnswerBytes: number;
  /** Told once of each connection on which something came that no request had asked for. */
  readonly onUnasked: () => void;
}

/** What one transport adds to the common part. */
export interface TransportKind {
  readonly name: string;
  /** What sockets for calls read into; absent: each read has memory of its own. */
  readonly readBuffer?: Buffer;
  /** Makes what turns sockets into connections, once per transport. */
  readonly connector: (settings: ConnectionSettings) => (opened: OpenedSocket) => CallConnection;
}

/** @throws SpillwayError for an unusable address or CA; nothing is opened yet */
export function pooledTransport(kind: TransportKind, options: TransportOptions): Transport {
  const target = targetOf(options.baseUrl, options.proxy);
  const { clock, ca, profile, maxAnswerBytes = DEFAULT_MAX_ANSWER_BYTES } = options;
  const unasked = new Unasked();
  const settings: ConnectionSettings = { clock, target, maxAnswerBytes, onUnasked: unasked.add };
  const opener = new SocketOpener(target, {
    deadlineMs: profile.client.deadline,
    ...(ca === undefined ? {} : { ca }),
    ...(kind.readBuffer === undefined ? {} : { readBuffer: kind.readBuffer }),
  });
  const connect = kind.connector(settings);
  const pool = new ConnectionPool<CallConnection>(clock, options.connections, async (signal) => {
    const opened = await opener.open('request', signal);
    return 'failure' in opened ? opened : { connection: connect(opened) };
  });
  const streams = new StreamOpener({ ...settings, opener, stream: profile.stream });
  const transport = new PooledTransport(kind.name, clock, pool, opener, streams, unasked);
  if (options.signal?.aborted) void transport.close();
  else onAbort(options.signal, () => void transport.close());
  return transport;
}

class PooledTransport implements Transport {
  readonly name: string;
  readonly takeUnasked: () => number;
  readonly #clock: Clock;
  readonly #pool: ConnectionPool<CallConnection>;
  readonly #opener: SocketOpener;
  readonly #streams: StreamOpener;

  constructor(
    name: string,
    clock: Clock,
    pool: ConnectionPool<CallConnection>,
    opener: SocketOpener,
    streams: StreamOpener,
    unasked: Unasked,
  ) {
    this.name = name;
    this.#clock = clock;
    this.#pool = pool;
    this.#opener = opener;
    this.#streams = streams;
    this.takeUnasked = unasked.take;
  }

  async warmUp(count = Number.POSITIVE_INFINITY, signal?: AbortSignal) {
    const results = await this.#pool.warmUp(count, signal);
    const failures = results.flatMap((result) => ('failure' in result ? [result.failure] : []));
    return { opened: results.length - failures.length, failures };
  }

  tryAcquire(): Lease | undefined {
    const connection = this.#pool.tryAcquire();
    return connection && new PooledLease(this.#pool, this.#clock, connection, undefined);
  }

  async acquire(signal?: AbortSignal): Promise<Lease | undefined> {
    const lent = await this.#pool.acquire(signal);
    if (!lent) return undefined;
    const [connection, failure] = 'connection' in lent ? [lent.connection, undefined] : [undefined, lent.failure];
    return new PooledLease(this.#pool, this.#clock, connection, failure);
  }

  acquireStream(signal?: AbortSignal): Promise<StreamLease | undefined> {
    return this.#streams.acquire(signal);
  }

  send: Transport['send'] = async (call, signal) => {
    const lease = await this.acquire(signal);
    if (!lease) return unsent(this.#clock, 'stopped', call);
    return new Promise((resolve) => lease.send(call, signal, resolve));
  };

  openStream: Transport['openStream'] = async (call, options) => {
    const lease = await this.acquireStream(options.signal);
    return lease ? lease.open(call, options) : { reply: unsent(this.#clock, 'stopped', call) };
  };

  async close(): Promise<void> {
    this.#opener.close();
    this.#pool.close();
    this.#streams.close();
  }
}

/** What a lease was asked to send, and whom it tells. */
interface Asked {
  readonly call: ApiCall;
  readonly signal: AbortSignal | undefined;
  readonly done: Settled;
  readonly isWritable: boolean;
}

/** Listens itself for its connection's rest and for the answer: a request costs one object instead of four. */
class PooledLease implements Lease, CallListener, Rested {
  readonly #pool: ConnectionPool<CallConnection>;
  readonly #clock: Clock;
  /** Absent where none could be opened, and why. */
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

  /** The connection goes back in the turn in which the answer is whole, so that whoever waits for it is not kept by promises. */
  send(call: ApiCall, signal: AbortSignal | undefined, done: Settled): void {
    if (this.#isUsed) throw new Error('a lease sends one call; acquire another one');
    this.#isUsed = true;
    const connection = this.#connection;
    if (!connection || signal?.aborted) {
      this.#pool.release(connection);
      return done(unsent(this.#clock, signal?.aborted ? 'stopped' : (this.#failure ?? 'stopped'), call));
    }
    const isWritable = this.#isPathWritable(call, connection);
    this.#asked = { call, signal, done, isWritable };
    if (this.#pool.isResting(connection)) this.#pool.onceRested(connection, this);
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

  /** Also what cannot be sent has waited for it: a user who asks for nothing else must not keep the loop from its sockets. */
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

  /** Once only: a second socket that is closed before it can be used says something about the service. */
  async #sendElsewhere(closed: CallConnection, { call, signal }: Asked): Promise<ApiReply> {
    const opened = await this.#pool.replace(closed, signal);
    const connection = 'connection' in opened ? opened.connection : undefined;
    try {
      if (signal?.aborted) return unsent(this.#clock, 'stopped', call);
      if ('failure' in opened) return unsent(this.#clock, opened.failure, call);
      await new Promise<void>((rested) => this.#pool.onceRested(opened.connection, { rested }));
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

function unsent(clock: Clock, failure: string, { onSending }: ApiCall): ApiReply {
  onSending?.();
  const outcome =
    failure === 'stopped' ? ({ kind: 'censored', failure } as const) : ({ kind: 'failed', failure } as const);
  return unsentReply(clock.now(), outcome);
}
