import type { Micros } from '../base/index.ts';
import type { OperationId } from './operations.ts';

/**
 * Data that a transport derives from a token. It is stored with the token and so discarded with it: a fast run has one token per
 * journey.
 */
export interface Prepared {
  /** The transport that created it; only that one can use it. */
  readonly by: object;
}

/** What authenticates a call. Never written to files or logs. */
export type Credentials =
  | BasicCredentials
  | { readonly kind: 'bearer'; readonly token: string; prepared?: Prepared | undefined }
  /** Sends no Authorization header, to provoke a 401. */
  | { readonly kind: 'none' };

/** Credentials of an application (HTTP Basic authentication). */
export interface BasicCredentials {
  readonly kind: 'basic';
  readonly clientId: string;
  readonly clientSecret: string;
}

/** One API call before it meets a transport. */
export interface ApiCall {
  readonly operation: OperationId;
  readonly credentials: Credentials;
  /** Path parameters by name: `conversation_id`, `turn_id`, `message_id`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Query parameters by the names that this service uses; absent: none. */
  readonly query?: Readonly<Record<string, string | number>> | undefined;
  /** JSON body; absent: none. */
  readonly body?: unknown;
  /** `body` serialised as ASCII-only JSON, if the caller has it already; absent: the transport serialises `body`. */
  readonly bodyText?: string | undefined;
  /** The client stops waiting this long after `sentAt`; the reply is then `censored`. */
  readonly deadlineUs: Micros;
  /**
   * Called exactly once before the reply: immediately before `sentAt` is stamped, in the same event-loop turn, even if nothing
   * could be sent. So sequence numbers assigned here are in the order of `sentAt`, however long the transport takes to get a socket.
   */
  readonly onSending?: () => void;
}

/** Why there is no answer: a socket error code (`ECONNRESET`) or one of Spillway's (`deadline`, `answer-too-large`, `protocol`). */
export type Failure = string;

interface ReplyTimes {
  /** Stamped immediately before the bytes are handed to the socket; nothing queues after it. */
  readonly sentAt: Micros;
  /** When status line and headers were received; absent if they were not. */
  readonly headersAt?: Micros;
  /** When the last byte was received, or when the failure or the deadline was noticed. */
  readonly receivedAt: Micros;
  readonly bytes: { readonly sent: number; readonly received: number };
  /** Number of the connection, distinct for each socket of the run; absent if there was no socket. */
  readonly connection?: number;
}

/**
 * The common form of bodies that differ only in UUIDs and RFC 3339 instants, each at the same place in every body. So either all
 * bodies of a form match a shape, or none does.
 */
export interface BodyForm {
  /** The last shape that a body of this form was found to match. */
  shape?: object;
}

/** The result of one attempt. Any status, even 500, is an answer; the code that reads the reply classifies 429 as refused. */
export type ApiReply = ReplyTimes &
  (
    | {
        readonly kind: 'answer';
        readonly headersAt: Micros;
        readonly status: number;
        /** Header names in lower case; of a repeated header, the values joined by ", ". */
        readonly headers: Readonly<Record<string, string>>;
        /** Parsed JSON; absent if there was none or if it could not be parsed (`bodyProblem` then says why). */
        readonly body?: unknown;
        /** The same object for all bodies of the same form; absent if the form is unknown. */
        readonly bodyForm?: BodyForm | undefined;
        readonly bodyProblem?: 'not-json' | 'wrong-content-type' | 'not-utf8' | 'content-coding' | undefined;
      }
    | { readonly kind: 'failed'; readonly failure: Failure }
    | { readonly kind: 'censored'; readonly failure: 'deadline' | 'stopped' }
  );

/** One event of a turn's stream, as received. */
export interface StreamEvent {
  readonly event: 'status' | 'delta' | 'completed' | 'failed' | 'unknown';
  readonly at: Micros;
  /** Absent if the service sent none. */
  readonly sequence?: number;
  readonly status?: string;
  /** The event's data, from which a journey may capture values. */
  readonly data: unknown;
}

/** How a stream ended. */
export interface StreamEnd {
  readonly at: Micros;
  /**
   * `completed`, `failed`: by the service's final event. `dropped`: the connection ended without one. `deadline`, `stopped`: the
   * client closed.
   */
  readonly reason: 'completed' | 'failed' | 'dropped' | 'deadline' | 'stopped';
  /** Why it was dropped, if it was not the service that closed it. */
  readonly because?: string;
}
