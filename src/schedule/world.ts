import type { ApiCall, ApiReply, Credentials, StreamEnd, StreamEvent, TargetProfile } from '../api/index.ts';
import type { Clock, Micros } from '../base/index.ts';
import type { JournalRecord } from '../history/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import type { Budget } from './budget.ts';

/** A connection held for one call, so that nothing queues between `sentAt` and the socket. */
export interface Lease {
  /**
   * Sends once, never retries, and calls `done` once, possibly before it returns; the connection goes back to the pool with
   * the reply.
   */
  send(call: ApiCall, signal: AbortSignal | undefined, done: (reply: ApiReply) => void): void;
  /** Gives the connection back unused. */
  release(): void;
}

/** An opened (or refused) stream of a turn. */
export interface OpenedStream {
  /** The handshake as an exchange: status 101, or another answer. */
  readonly reply: ApiReply;
  /** Resolves when the stream ends; absent if the handshake failed. */
  readonly ended?: Promise<StreamEnd>;
}

/** A connection held for one stream's handshake. */
export interface StreamLease {
  open(
    call: ApiCall,
    options: {
      readonly onEvent: (event: StreamEvent) => void;
      readonly deadlineAt: Micros;
      readonly signal: AbortSignal;
    },
  ): Promise<OpenedStream>;
  release(): void;
}

/** What can send a call: a transport over sockets, or the sandbox's core in virtual time. */
export interface Sender {
  /** A lease available without waiting; `undefined` if `acquire` might have to wait or to open a connection. */
  tryAcquire(): Lease | undefined;
  /** Resolves with a free connection; never rejects; undefined if the signal was aborted first. */
  acquire(signal: AbortSignal): Promise<Lease | undefined>;
  /** Like `acquire`, for a stream, which has its own socket. */
  acquireStream(signal: AbortSignal): Promise<StreamLease | undefined>;
}

/** A token to call with, or why there is none. */
export type TokenResult =
  | { readonly kind: 'token'; readonly label: string; readonly credentials: Credentials }
  | { readonly kind: 'none'; readonly because: string; readonly reply?: ApiReply };

/** The owner of a token: a participant, identified by labels. */
export type TokenOwner = Pick<Participants['users'][number], 'application' | 'label'>;

/** Keeps tokens: reuses them, renews them before expiry, and discards those that a 401 marked. Labels are `t1`, `t2`, … */
export interface TokenSource {
  /** The token that `tokenFor` would return without issuing one; `undefined` if it would have to issue. */
  current(who: TokenOwner): Extract<TokenResult, { kind: 'token' }> | undefined;
  /** The currently valid token, even if it is due for renewal; `undefined` if there is none. Never waits. */
  usable(who: TokenOwner): Extract<TokenResult, { kind: 'token' }> | undefined;
  /** A live token; calls `issue` only if there is none. Simultaneous callers share one token request. */
  tokenFor(who: TokenOwner, issue: () => Promise<ApiReply | undefined>): Promise<TokenResult>;
  /** Takes a token that a step issued explicitly; it replaces the user's current one. */
  adopt(who: TokenOwner, reply: ApiReply): TokenResult;
  /** The service accepted the token: any answer but a 401. */
  markWorked(who: TokenOwner, label: string): void;
  /** The service refused the token: its user never uses it again. */
  mark401(who: TokenOwner, label: string): void;
}

/** What a poll showed of a turn. */
export type PollSeen =
  | { readonly state: 'open' | 'completed' | 'failed' }
  /** The poll showed no status; the policy of the step decides whether to go on. */
  | { readonly state: 'unknown'; readonly verdict: 'continue' | 'stop' };

/** Receives the result of a poll, once. */
export interface PollListener {
  seen(seen: PollSeen): void;
}

/** Follows a turn by polling until it ends, and calls `ended`; see client/ for the planned times of polls. */
export type FollowPolling = (options: {
  readonly clock: Clock;
  readonly startAt: Micros;
  readonly intervalUs: Micros;
  readonly backoff: number;
  readonly maxIntervalUs: Micros;
  readonly deadlineAt: Micros;
  readonly signal: AbortSignal;
  readonly poll: (intendedAt: Micros, listener: PollListener) => void;
  readonly ended: (end: 'completed' | 'failed' | 'deadline' | 'stopped' | 'given-up') => void;
  readonly failed: (defect: unknown) => void;
}) => void;

/** Removes echoes of credentials and of users' own texts from everything that is kept. */
export interface EchoGuard {
  /** The cleaned reply to a call. */
  reply(call: Pick<ApiCall, 'operation' | 'credentials' | 'body'>, reply: ApiReply): ApiReply;
  /** Another text that resulted from a call, cleaned. */
  text(call: Pick<ApiCall, 'credentials'>, text: string): string;
}

/** For a World without a real service. */
export const noEchoes: EchoGuard = { reply: (_, reply) => reply, text: (_, text) => text };

/** Everything outside that running a plan needs. */
export interface World {
  readonly clock: Clock;
  readonly sender: Sender;
  readonly echoes: EchoGuard;
  readonly tokens: TokenSource;
  readonly followByPolling: FollowPolling;
  readonly record: (record: JournalRecord) => void;
  /** Whether `sent` records are made now: at a high rate nothing keeps them. Absent: always. */
  readonly announces?: () => boolean;
  readonly loaded: LoadedScenario;
  readonly profile: TargetProfile;
  readonly participants: Participants;
  readonly runId: string;
  /** Key of message digests; in memory only. */
  readonly digestKey: Uint8Array;
  /** What the journal keeps of a message's text. Absent: nothing. */
  readonly keptText?: ((text: string) => string) | undefined;
  /** Absent: only the plan limits what is sent. */
  readonly budget?: Budget | undefined;
  /** Service seconds per run second. */
  readonly serviceRate: number;
}

/** Who takes part, by index and label. */
export interface Participants {
  /** Labels `u1`, `u2`, …; external ids; each belongs to one application. */
  readonly users: readonly {
    readonly label: string;
    readonly externalId: string;
    readonly locale?: string;
    readonly timezone?: string;
    readonly application: string;
  }[];
  /** Credentials per application label. */
  readonly credentials: ReadonlyMap<string, Extract<Credentials, { kind: 'basic' }>>;
}
