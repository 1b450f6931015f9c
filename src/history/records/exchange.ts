import type { OperationId } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';

/**
 * What a request can wait for before it is sent. `pace`: the planned interval between arrivals under `noCatchUp`, which passes the
 * delay of an arrival on to later ones. `token`: a token request of the user. `connection`: a free socket of the pool.
 */
export const capNames = ['pace', 'token', 'openTurns', 'requestsPerMinute', 'inFlight', 'connection'] as const;
export type CapName = (typeof capNames)[number];

/** The central record: one attempt of one operation. */
export interface Exchange {
  readonly kind: 'exchange';
  /** Orders exchanges by `sentAt` within a worker; no gaps in a complete run. */
  readonly seq: number;
  readonly worker?: number;
  readonly operation: OperationId;
  /**
   * Labels (`a1`, `u1`, `t1`), never credentials or external ids. `token` is absent for issueToken; a token has one label, whichever
   * users the service gave it to.
   */
  readonly application: string;
  readonly user: string;
  readonly token?: string;
  readonly conversation?: string;
  /** Index of the arrival whose journey made it. */
  readonly arrival: number;
  readonly journey: string;
  /** Index of the step in the journey's flattened order of execution, from 0. */
  readonly step: number;
  /** 1 for the first try; a retry is a new exchange. */
  readonly attempt: number;
  readonly intendedAt: Micros;
  /** Waiting time by cap, only caps that made it wait; absent if none did. */
  readonly capWaitUs?: Readonly<Partial<Record<CapName, Micros>>>;
  readonly sentAt: Micros;
  /** When status line and headers were received; absent if they were not. */
  readonly headersAt?: Micros;
  /** When the last byte was received, the failure was noticed, or the client stopped waiting. */
  readonly receivedAt: Micros;
  /**
   * How long before `receivedAt` the answer, or its failure, may have arrived: until then the generator had stood still and read
   * nothing. Absent if it went on all the time.
   */
  readonly readLateUs?: Micros;
  /**
   * `answered`: any answer but a refusal. `refused`: 429, or as the profile says (`isRefusal`). `failed`: no answer. `censored`: the
   * client stopped waiting.
   */
  readonly outcome: 'answered' | 'refused' | 'failed' | 'censored';
  readonly status?: number;
  /**
   * For `failed` and `censored`: a socket error code (`ECONNRESET`) or one of Spillway's (`deadline`, `stopped`, `protocol`, …).
   */
  readonly failure?: string;
  /** An answer whose body could not be used: `not-json`, `wrong-content-type`, `not-utf8`, `content-coding`, `wrong-shape`. */
  readonly bodyProblem?: string;
  readonly bytes: { readonly sent: number; readonly received: number };
  /** The Date header, raw. */
  readonly date?: string;
  readonly retryAfter?: string;
  /** Headers about limits, names in lower case, raw values. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For an incomplete error envelope (`wrong-shape`): its code, if present, and the names of the members that are missing or have another form. */
  readonly error?: {
    readonly code: string;
    readonly retryable?: boolean;
    readonly requestId?: string;
    readonly lacks?: readonly string[];
  };
  readonly turn?: TurnSeen;
  readonly message?: MessageSent;
  readonly history?: HistorySeen;
  readonly otherwise?: ToldOtherwise;
  readonly connection?: number;
  /** A resend of the client_message_id in `message.id`, with the same content or another. */
  readonly resend?: 'same' | 'other';
  /** Expectations of the step: how many were checked, and a sentence for each that was not met. */
  readonly expect?: {
    readonly checked: number;
    readonly unmet: readonly string[];
    /** Whether the status is an error status that the step expects. */
    readonly namedStatus?: boolean;
  };
}

/** Where an answer differs from the request; only differing members. */
export interface ToldOtherwise {
  /** The conversation in the answer, if another one was to be resumed. */
  readonly conversation?: string;
  /** A rating as sent, and what the answer says about it. */
  readonly rating?: { readonly sent: string; readonly told: string; readonly success: boolean };
}

/** What a 202, a readTurn or a handshake shows of a turn. */
export interface TurnSeen {
  readonly id: string;
  readonly status?: string;
  /** The conversation in the answer, if it differs from that of the exchange. */
  readonly conversation?: string;
  /** Code of the turn's error. */
  readonly error?: string;
  readonly userMessageId?: string;
  readonly assistantMessageId?: string;
  /** metadata.latency_ms as the service reports it. */
  readonly latencyMs?: number;
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

export interface MessageSent {
  /** client_message_id */
  readonly id: string;
  /** Keyed hash of message and location; of the message alone if there is no location. */
  readonly digest: string;
  /** Keyed hash of the message alone, if a location makes it differ from `digest`: used to match history items. */
  readonly textDigest?: string;
  /** The text itself, only if the scenario asks for it (`record.messages`). */
  readonly text?: string;
}

export interface HistorySeen {
  readonly limit: number;
  readonly offset: number;
  readonly items: readonly {
    readonly id: string;
    readonly role: string;
    /** Absent if the answer has no text, as of an answer that is still being made. */
    readonly digest?: string;
    /** Absent if the answer has no valid date and time. */
    readonly createdAt?: string;
  }[];
}
