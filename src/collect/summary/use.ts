import type { Micros } from '../../base/index.ts';
import type { Distribution } from './exchanges.ts';

/* Messages and turns, and what they and the requests used of the limits. */

export interface MessageSummary {
  /** Exchanges of sendMessage, every attempt. */
  readonly attempts: number;
  /** Answered with a status of success, whatever the body, or with another 2xx that names a turn: the service has then accepted the message. */
  readonly accepted: number;
  /** Distinct accepted (conversation, client_message_id, content). */
  readonly newMessages: number;
  /** Accepted again under the same id with the same content. */
  readonly replays: number;
  /** Messages with no accepted attempt and at least one without an answer: each may have been accepted. */
  readonly unknown: number;
}

/**
 * The UTC day of the service's clock with the most new messages in one bucket of the quota's scope (target profile,
 * `limits.daily.scope`), for comparison with the quota. The warm-up is included, since the service counted it.
 */
export interface FullestDay {
  /** See `FullestWindow.of`. */
  readonly of: string;
  /** How many such buckets there were. */
  readonly among: number;
  /** `2026-11-21` */
  readonly day: string;
  /** Distinct new messages accepted. */
  readonly used: number;
}

/** Distinct new messages accepted in one UTC day of the service's clock, by sentAt; those of the warm-up spent quota too. */
export interface DailyUse {
  /** `2026-11-21` */
  readonly day: string;
  readonly application: string;
  readonly used: number;
}

/** Requests that count towards the rate limit, in one minute of the service's clock, by sentAt; the warm-up included. */
export interface MinuteUse {
  /** Start of the minute, ISO 8601: `2026-11-21T12:00:00.000Z`. */
  readonly minute: string;
  /** Answered, neither 429 nor 401 nor 5xx. */
  readonly admitted: number;
  /** Answered with 5xx. */
  readonly perhapsAdmitted: number;
  /** 429s attributed to the rate limit. */
  readonly refused: number;
}

/**
 * The window of the rate limit's length, aligned to the service's clock, with the most requests admitted in one bucket of the
 * limit's scope (target profile, `limits.rate.scope`), for comparison with the limit's maximum.
 */
export interface FullestWindow {
  /** `bucketOf` of the declared scope; empty if all are counted together. */
  readonly of: string;
  /** How many such buckets there were. */
  readonly among: number;
  /** ISO 8601 */
  readonly start: string;
  readonly windowUs: Micros;
  /** Answered, neither 429 nor 401 nor 5xx. */
  readonly admitted: number;
  /** Answered with 5xx. */
  readonly perhapsAdmitted: number;
  /** The most that were admitted or refused, by whatever limit, in any of these windows. */
  readonly mostAsked: number;
}

export interface TurnSummary {
  /** Accepted by any 2xx that names them. */
  readonly accepted: number;
  readonly completed: number;
  /** The service said so. */
  readonly failed: number;
  /** Not seen to finish. */
  readonly unfinished: number;
  /** Seen open after having been seen finished. */
  readonly regressed: number;
  readonly polls: number;
  /**
   * From acceptance (headers of the 202) to the first observation of completion, for completed turns. Without turns with an
   * earlier unanswered attempt: when they were accepted is unknown.
   */
  readonly completion?: Distribution;
  /**
   * The same, for turns whose completion was first seen on the stream (exact), by a poll, or in the answer to the message itself.
   * Their counts add up to that of `completion`.
   */
  readonly completionByStream?: Distribution;
  readonly completionByPoll?: Distribution;
  readonly completionByMessage?: Distribution;
  /**
   * Bounds of the time that the service took, for turns whose completion a poll showed: completion lies between the sending of the
   * last poll that saw the turn open and the answer of the first one that saw it finished.
   */
  readonly completionBounds?: { readonly shortest: Distribution; readonly longest: Distribution };
  /** From the acceptance to the first event of the stream, and to the first delta of the answer. */
  readonly firstEvent?: Distribution;
  readonly firstDelta?: Distribution;
  /** How much later a poll showed the completion than the stream, for turns followed by both; 0 if the poll was first. */
  readonly pollAfterStream?: Distribution;
  /** The service's own metadata.latency_ms, in microseconds. */
  readonly serverLatency?: Distribution;
  readonly open: OpenTurns;
  /** Streams that broke off before they had shown the end of their turn, while somebody followed it; absent if none. */
  readonly brokenStreams?: number;
  /** Statuses that polls and streams showed and that none of the profile's lists has, in alphabetical order; absent if none. */
  readonly unlistedStatuses?: readonly { readonly status: string; readonly count: number }[];
  /** Events of streams of a name that the profile does not list, or unreadable; absent if none. */
  readonly unlistedEvents?: number;
}

/** Turns in process at once, after the warm-up (turns of the warm-up that were still open count). */
export interface OpenTurns {
  /** At some instant at least this many were in process. */
  readonly maxCertain: number;
  /** At no instant were more than this many accepted turns in process; messages without an answer may come in addition. */
  readonly maxPossible: number;
  /** The same for the bucket of the limit's scope with the most (`limits.concurrency.scope`); absent if none were open. */
  readonly fullest?: {
    /** Label of the application, user or conversation. */
    readonly of: string;
    /** How many such buckets there were. */
    readonly among: number;
    readonly maxCertain: number;
    readonly maxPossible: number;
  };
}

export interface CapWaitSummary {
  /** Exchanges that waited. */
  readonly count: number;
  readonly totalUs: Micros;
  readonly maxUs: Micros;
}
