import type { Micros } from '../base/index.ts';
import type { OperationId } from './operations.ts';

/** What a transport has made of a token. It is kept with the token, so that it goes with it: a fast run has a token a journey. */
export interface Prepared {
  /** Who made it, and alone can read it. */
  readonly by: object;
}

/** What authenticates a call. Never written, never logged. */
export type Credentials =
  | { readonly kind: 'basic'; readonly clientId: string; readonly clientSecret: string }
  | { readonly kind: 'bearer'; readonly token: string; prepared?: Prepared | undefined }
  /** Sends no Authorization header, to see the 401. */
  | { readonly kind: 'none' };

/** One API call before it meets a transport. */
export interface ApiCall {
  readonly operation: OperationId;
  readonly credentials: Credentials;
  /** Path parameters by name: `conversation_id`, `turn_id`, `message_id`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Query parameters under the names that this service uses; absence means none. */
  readonly query?: Readonly<Record<string, string | number>> | undefined;
  /** JSON body; absence means none. */
  readonly body?: unknown;
  /** `body` as JSON, all of it ASCII, where the caller has written it already; absent: the transport writes it. */
  readonly bodyText?: string | undefined;
  /** The client stops waiting this long after `sentAt`; the reply is then `censored`. */
  readonly deadlineUs: Micros;
  /**
   * Called exactly once before the reply, in the turn in which `sentAt` is stamped and immediately before it, also where nothing
   * could be sent. So numbers given here are in the order of `sentAt`, however long a transport takes to find its socket alive.
   */
  readonly onSending?: () => void;
}

/** Why there is no answer: an error code of the socket (`ECONNRESET`) or one of ours (`deadline`, `answer-too-large`, `protocol`). */
export type Failure = string;

interface ReplyTimes {
  /** Stamped immediately before the bytes are handed to the socket; nothing queues after it. */
  readonly sentAt: Micros;
  /** Status line and headers received; absent when none came. */
  readonly headersAt?: Micros;
  /** Last byte received, or the moment at which the failure or the deadline was noticed. */
  readonly receivedAt: Micros;
  readonly bytes: { readonly sent: number; readonly received: number };
  /** Number of the connection, distinct for each socket of the run; absent when no socket was had. */
  readonly connection?: number;
}

/**
 * What the bodies of several answers have in common that differ in identifiers (UUIDs) and instants (RFC 3339) alone, none of which
 * is another kind of value in another body: all of them have a shape, or none has.
 */
export interface BodyForm {
  /** The last shape that one of them was found to have. */
  shape?: object;
}

/** What came of one attempt. A status, even 500, is an answer; only 429 is told apart as refused, by the reader. */
export type ApiReply = ReplyTimes &
  (
    | {
        readonly kind: 'answer';
        readonly headersAt: Micros;
        readonly status: number;
        /** Header names in lower case; of a repeated header, the values joined by ", ". */
        readonly headers: Readonly<Record<string, string>>;
        /** Parsed JSON; absent when there was none or it could not be parsed (then `bodyProblem` says why). */
        readonly body?: unknown;
        /** The same object where bodies have the same form; absent where that is not known. */
        readonly bodyForm?: BodyForm | undefined;
        readonly bodyProblem?: 'not-json' | 'wrong-content-type' | 'not-utf8' | 'content-coding' | undefined;
      }
    | { readonly kind: 'failed'; readonly failure: Failure }
    | { readonly kind: 'censored'; readonly failure: 'deadline' | 'stopped' }
  );

/** One event of a turn's stream, as read from the socket. */
export interface StreamEvent {
  readonly event: 'status' | 'delta' | 'completed' | 'failed' | 'unknown';
  readonly at: Micros;
  /** Absent when the service gave none. */
  readonly sequence?: number;
  readonly status?: string;
  /** The event's data, for a journey that captures from it. */
  readonly data: unknown;
}

/** How a stream ended. */
export interface StreamEnd {
  readonly at: Micros;
  /** `completed` or `failed`: the service said so. `dropped`: it closed before. `deadline`, `stopped`: the client did. */
  readonly reason: 'completed' | 'failed' | 'dropped' | 'deadline' | 'stopped';
  /** WebSocket close code, where there was one. */
  readonly code?: number;
}
