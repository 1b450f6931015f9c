import type { ApiCall, ApiReply, StreamEnd, StreamEvent, TargetProfile } from '../api/index.ts';
import type { Clock, Micros } from '../base/index.ts';
import type { ClientCertificate } from './sockets/secure-context.ts';

/** A connection held for one call, so that nothing queues between `sentAt` and the socket. */
export interface Lease {
  /**
   * Sends once, never retries, follows no redirect, and calls `done` once, whatever a service or a network does, possibly before
   * it returns. The connection goes back to the pool with the reply. An aborted signal censors the call (`stopped`) and destroys
   * the connection.
   * @throws Error if the lease was used before, or the call lacks a path parameter: the caller's defects; `done` is not called
   */
  send(call: ApiCall, signal: AbortSignal | undefined, done: (reply: ApiReply) => void): void;
  /** Gives the connection back unused; without effect after `send`. */
  release(): void;
}

/** A connection held for one stream's handshake. */
export interface StreamLease {
  open(call: ApiCall, options: StreamOptions): Promise<OpenedStream>;
  release(): void;
}

export interface StreamOptions {
  /** Called in the order in which events arrived, possibly before the promise of the opening has resolved. */
  readonly onEvent: (event: StreamEvent) => void;
  /** The stream ends with `deadline` at this run time. Absent: only the service or the signal ends it. */
  readonly deadlineAt?: Micros;
  readonly signal?: AbortSignal;
}

/** A stream of a turn, opened or refused. */
export interface OpenedStream {
  /** The handshake as an exchange: status 101, another answer, or why there is no answer. */
  readonly reply: ApiReply;
  /** Resolves when the stream ends, never rejects; absent if the handshake failed. */
  readonly ended?: Promise<StreamEnd>;
}

/** Result of opening the first sockets. */
export interface WarmUp {
  readonly opened: number;
  /** One code for each socket that could not be opened: `ECONNREFUSED`, `connect-timeout`, a TLS code, … */
  readonly failures: readonly string[];
}

/** What can send calls over sockets. Those of HTTP/1.1 pass transports/transport.exam.ts, http2 has tests of its own frames. */
export interface Transport {
  readonly name: string;
  /**
   * Opens the sockets of the whole pool (TCP, proxy and TLS handshakes included) without sending any request. When the signal is
   * aborted, openings in progress are cancelled and count as failures (`stopped`); open sockets stay open.
   */
  warmUp(signal?: AbortSignal): Promise<WarmUp>;
  /** A lease of a connection that is free, open and was used recently; `undefined` if there is none: then use `acquire`. */
  tryAcquire(): Lease | undefined;
  /**
   * Resolves with a free and open connection, first come first served. If it had to be opened and could not be, the lease's call
   * fails with the reason. Never rejects; `undefined` if the signal was aborted or the transport closed before.
   */
  acquire(signal?: AbortSignal): Promise<Lease | undefined>;
  /** Opens a separate socket for a stream: streams last long and do not take from the pool. Otherwise like `acquire`. */
  acquireStream(signal?: AbortSignal): Promise<StreamLease | undefined>;
  /** `acquire` and `send` in one, as a promise; the wait for the connection lies before `sentAt`. */
  send(call: ApiCall, signal?: AbortSignal): Promise<ApiReply>;
  /** `acquireStream` and `open` in one. */
  openStream(call: ApiCall, options: StreamOptions): Promise<OpenedStream>;
  /** Numbers of the connections closed because unrequested bytes arrived on them, since the last call. */
  takeUnasked(): readonly number[];
  /** Destroys every socket at once: calls in flight are censored (`stopped`), waiters get `undefined`. Idempotent. */
  close(): Promise<void>;
}

/** Options of every transport. */
export interface TransportOptions {
  /** `http:` or `https:`, without credentials; a path is a prefix of every operation's path. */
  readonly baseUrl: string;
  readonly profile: Pick<TargetProfile, 'stream' | 'client'>;
  /** Sockets for calls, ≥ 1; streams have their own. */
  readonly connections: number;
  /** The run's real clock. Deadlines run on timers that are checked against it. */
  readonly clock: Clock;
  /** Headers that every request and handshake sends beside its own; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** PEM text of certificate authorities to trust besides the system's. */
  readonly ca?: string;
  /** The client's certificate, if the service (or the proxy) asks for one. */
  readonly certificate?: ClientCertificate;
  /** `http:` or `https:` proxy, possibly with credentials: absolute-form for http targets, CONNECT for https and for streams. */
  readonly proxy?: string;
  /** Largest body of an answer, in bytes; default 8 MiB. A larger one fails with `answer-too-large`. */
  readonly maxAnswerBytes?: number;
}

export const DEFAULT_MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** The outcome in a reply, without the times and sizes of every reply. */
export type ReplyOutcome = WithoutTimes<ApiReply>;
type WithoutTimes<R> = R extends ApiReply ? Omit<R, 'sentAt' | 'receivedAt' | 'bytes' | 'connection'> : never;

/** A reply for a call whose request never reached a socket: zero bytes sent shows that the service cannot have counted it. */
export function unsentReply(
  at: Micros,
  outcome: { kind: 'failed'; failure: string } | { kind: 'censored'; failure: 'stopped' },
): ApiReply {
  return { sentAt: at, receivedAt: at, bytes: { sent: 0, received: 0 }, ...outcome };
}
