import type { ApiReply, StreamEnd } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import type { Exchange } from '../../history/index.ts';
import type { Release } from '../caps/slots.ts';

/** Why nothing was sent or recorded: the run stopped while the request waited, or the user has no token. */
export type NotSent =
  | { readonly kind: 'interrupted' }
  | {
      readonly kind: 'no-token';
      readonly because: string;
      /** Reply to the token request; absent if none was made because the user's tokens are rejected. */
      readonly reply?: ApiReply;
    };

/** How a stream ended. */
export interface StreamOutcome extends StreamEnd {
  /** Data of the event that ended the turn; `undefined` if none did. */
  readonly final: unknown;
}

/** One attempt and its outcome. */
export interface Sent {
  readonly kind: 'sent';
  readonly reply: ApiReply;
  readonly exchange: Exchange;
  /** Gives the open turn's slot back; does nothing if none was taken. */
  readonly turnFinished: Release;
  /** Absent unless it opened a stream. */
  readonly streamEnd?: Promise<StreamOutcome>;
}

export type Attempt = Sent | NotSent;

/** When an attempt is intended, and which one it is. */
export interface Timing {
  readonly intendedAt: Micros;
  readonly attempt: number;
  /** How many earlier attempts were not sent, for want of a token; absent: none. */
  readonly unsent?: number;
  /**
   * Whether the step's policy will retry after this exchange: expectations are not checked on an attempt that is retried. Absent:
   * it never does.
   */
  isRetried?(exchange: Exchange): boolean;
}

/** Receives the outcome of an attempt, once, in the same turn of the event loop as the reply, without queueing. */
export interface AttemptListener {
  ended(attempt: Attempt): void;
  /** A defect of this tool; the run ends with it. */
  failed(defect: unknown): void;
}
