import type { LimitName, OperationId } from '../api/index.ts';
import type { Micros } from '../base/index.ts';

/*
 * The records of the journal (design.md section 4), one JSON object a line. Times are Micros on the run's monotonic clock,
 * zero at the run's start. Optional fields are absent, never null or zero.
 */

export const HISTORY_FORMAT = 'spillway-history';
export const HISTORY_VERSION = 1;

/** First line: what was run, against what, and what the judge may assume. */
export interface Header {
  readonly kind: 'header';
  readonly format: typeof HISTORY_FORMAT;
  readonly version: typeof HISTORY_VERSION;
  readonly runId: string;
  /** ISO 8601, UTC: the wall clock at run time 0. */
  readonly startedAt: string;
  readonly scenario: string;
  readonly seed: number;
  /** The resolved target profile, without secrets. */
  readonly profile: unknown;
  /** Gates by metric, each with its threshold and options; what `readGates` of metrics/ reads. */
  readonly gates: unknown;
  /** Digest of what was planned, whatever its name: journeys, load, caps, policies, users and data. Absent in older journals. */
  readonly plan?: string;
  /** Exchanges with `intendedAt` before this are warm-up: recorded and judged, but in no metric. */
  readonly warmUpUs: Micros;
  readonly limits: {
    readonly rate: { readonly max: number; readonly windowUs: Micros; readonly reading: string };
    readonly concurrency: { readonly max: number };
    readonly daily: { readonly max: number };
  };
  readonly clock: { readonly driftPpm: number; readonly granularityUs: Micros; readonly maxServerDelayUs: Micros };
  readonly exclusive: boolean;
  readonly flushed: Readonly<Record<LimitName, boolean>>;
  /** Journeys of which some step expects something of its answer; absent where none does, and in older journals. */
  readonly expecting?: readonly string[];
  /**
   * Time zones that tokens were asked for with, each once; empty where none was. Absent where some were and some were
   * not, where a step's zone depends on the journey or is none that calendars know, and in older journals: any token may have any.
   */
  readonly timezones?: readonly string[];
  /** Journeys and applications of the scenario, whether or not any began; absent in older journals. */
  readonly journeys?: readonly string[];
  readonly applications?: readonly string[];
  /** From where on the generator counts as the bottleneck; absent where nothing judges it. */
  readonly generator?: GeneratorLimits;
  readonly tool: string;
  readonly node: string;
  /** How many workers sent; absent for one. */
  readonly workers?: number;
  /** Which round of several it is: their gates are judged together. Absent for a run by itself. */
  readonly round?: RoundOf;
}

/** A run among those of one `run --repeat`. */
export interface RoundOf {
  /** From 1. */
  readonly number: number;
  /** How many there are to be. */
  readonly of: number;
  readonly side: 'base' | 'candidate';
}

/** What the generator may fall short by before it, not the service, sets what is measured. */
export interface GeneratorLimits {
  /** How late requests may leave: half of them, and all but one in a hundred. */
  readonly medianLagUs: Micros;
  readonly p99LagUs: Micros;
  /** How late the event loop may typically be. */
  readonly eventLoopUs: Micros;
  /** Share of the arrivals that may be dropped as late. */
  readonly lateShare: number;
  /** Whether a run in which it is the bottleneck is invalid, or only told to be so. */
  readonly enforced: boolean;
}

/** Maps run time to service time, piecewise linear: service = serviceUs + (t − at) × rate. */
export interface ClockRecord {
  readonly kind: 'clock';
  readonly at: Micros;
  /** Service time at `at`, microseconds since 1970. */
  readonly serviceUs: Micros;
  readonly plusMinusUs: Micros;
  /** Service seconds per run second. */
  readonly rate: number;
}

/** Written before a request goes out, so that a crash cannot hide it. */
export interface SentRecord {
  readonly kind: 'sent';
  readonly seq: number;
  readonly operation: OperationId;
  readonly at: Micros;
  /** Generator worker; absent in a run with one. */
  readonly worker?: number;
}

/**
 * What a request can wait for before it is sent: `pace` is a rate that is a ceiling (`noCatchUp`) and passes
 * on how late an arrival before this one was, `token` the user's token
 * being issued, `connection` a free socket of the pool.
 */
export type CapName = 'pace' | 'token' | 'openTurns' | 'requestsPerMinute' | 'inFlight' | 'connection';

/** THE record: one attempt of one operation. */
export interface Exchange {
  readonly kind: 'exchange';
  /** Orders exchanges by `sentAt` within a worker; no gaps in a complete run. */
  readonly seq: number;
  readonly worker?: number;
  readonly operation: OperationId;
  /** Labels (`a1`, `u1`, `t1`), never credentials or external ids. `token` is absent for issueToken. */
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
  /** Time spent waiting per cap, only caps that made it wait; absent when none did. */
  readonly capWaitUs?: Readonly<Partial<Record<CapName, Micros>>>;
  readonly sentAt: Micros;
  /** Status line received; absent when none came. */
  readonly headersAt?: Micros;
  /** Last byte received; or when the failure was noticed; or when the client stopped waiting. */
  readonly receivedAt: Micros;
  /** `answered`: any status but 429. `refused`: 429. `failed`: no answer. `censored`: the client stopped waiting. */
  readonly outcome: 'answered' | 'refused' | 'failed' | 'censored';
  readonly status?: number;
  /** For `failed` and `censored`: an errno (`ECONNRESET`) or one of ours (`deadline`, `stopped`, `protocol`, …). */
  readonly failure?: string;
  /** An answer whose body could not be used: `not-json`, `wrong-content-type`, `not-utf8`, `wrong-shape`. */
  readonly bodyProblem?: string;
  readonly bytes: { readonly sent: number; readonly received: number };
  /** The Date header, raw. */
  readonly date?: string;
  readonly retryAfter?: string;
  /** Headers that speak of limits, names in lower case, raw values. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Of an error envelope that lacks a member (`wrong-shape`) the code alone, if it has that. */
  readonly error?: { readonly code: string; readonly retryable?: boolean; readonly requestId?: string };
  readonly turn?: TurnSeen;
  readonly message?: MessageSent;
  readonly history?: HistorySeen;
  readonly connection?: number;
  /** A resend: of which client_message_id is in `message.id`; whether its content was changed. */
  readonly resend?: 'same' | 'other';
  /** Expectations of the step: how many were checked, and a sentence for each that was not met. */
  readonly expect?: { readonly checked: number; readonly unmet: readonly string[] };
}

/** What a 202, a readTurn or a handshake said of a turn. */
export interface TurnSeen {
  readonly id: string;
  readonly status?: string;
  /** The conversation that the answer names, only where that is another than the exchange's. */
  readonly conversation?: string;
  /** Code of the turn's error. */
  readonly error?: string;
  readonly userMessageId?: string;
  readonly assistantMessageId?: string;
  /** The service's own metadata.latency_ms. */
  readonly latencyMs?: number;
  readonly createdAt?: string;
  readonly updatedAt?: string;
}

export interface MessageSent {
  /** client_message_id */
  readonly id: string;
  /** Keyed hash of message and location; of the message alone where there is no location. */
  readonly digest: string;
  /** Keyed hash of the message alone, where a location makes it differ from `digest`: what history items are matched by. */
  readonly textDigest?: string;
  /** The text itself, only where the scenario asks for it (`record.messages`). */
  readonly text?: string;
}

export interface HistorySeen {
  readonly limit: number;
  readonly offset: number;
  readonly items: readonly {
    readonly id: string;
    readonly role: string;
    readonly digest: string;
    readonly createdAt: string;
  }[];
}

/** One event of a turn's stream, or its opening and closing. */
export interface StreamRecord {
  readonly kind: 'stream';
  readonly turn: string;
  readonly event: 'opened' | 'status' | 'delta' | 'completed' | 'failed' | 'closed' | 'unknown';
  readonly at: Micros;
  readonly sequence?: number;
  readonly status?: string;
  /** On `closed`: completed, failed, dropped, deadline, stopped. */
  readonly reason?: string;
  /** On `closed`: what the step expects of the answer, held against the event that ended the turn. */
  readonly expect?: Exchange['expect'];
  /** Beside `expect`: the exchange that opened the stream. */
  readonly handshake?: Pick<Exchange, 'seq' | 'sentAt' | 'intendedAt'>;
  readonly worker?: number;
}

/** An arrival that was never started, or was stopped before it sent anything. */
export interface DropRecord {
  readonly kind: 'drop';
  readonly intendedAt: Micros;
  readonly arrival: number;
  readonly journey: string;
  /**
   * `late`: it was due, and the generator had not started it in time: its rate is a ceiling, or the run stopped meanwhile.
   * `no-token`: the request for a token that it shared with other journeys of its user brought none.
   */
  readonly reason: 'max-in-flight' | 'cap' | 'late' | 'no-token' | 'stopped' | 'deadline';
  /** Arrivals of the same journey, second and reason that the run's end left over, this one included; absent: it alone. */
  readonly count?: number;
  /** Index of the last of them; beside `count`. */
  readonly lastArrival?: number;
  readonly worker?: number;
}

/** The generator's own condition over the interval that ends at `at`. */
export interface HealthRecord {
  readonly kind: 'health';
  readonly at: Micros;
  /** How late the event loop came round; absent when the interval ended before it was looked at once. */
  readonly eventLoopP99Us?: Micros;
  /** The median delay: what an answer that lies ready typically waits before it is read. */
  readonly eventLoopP50Us?: Micros;
  /** How late exchanges were sent after their intended time and cap waits; absent when none was sent. */
  readonly scheduleLagP99Us?: Micros;
  readonly gcUs: Micros;
  /** The longest pause of garbage collection. */
  readonly gcMaxUs?: Micros;
  /** Records not yet on disk. */
  readonly backlog: number;
  /** Requests that waited for a free connection, the most at once; absent when none did. */
  readonly connectionQueue?: number;
  /** Connections that were ended because something came on them that no request had asked for; absent when none was. */
  readonly unasked?: number;
  /** CPU time of the generator in this interval. */
  readonly cpuUs?: Micros;
  readonly worker?: number;
}

/** How a journey ended; what expectations and stops did to it. */
export interface JourneyRecord {
  readonly kind: 'journey';
  readonly arrival: number;
  readonly journey: string;
  /** Its arrival's; it says whether the journey belongs to the warm-up. Absent in older histories: `startedAt` stands for it. */
  readonly intendedAt?: Micros;
  readonly startedAt: Micros;
  readonly endedAt: Micros;
  /** `stopped`: a refusal or an error ended it as its policy says. `interrupted`: the run's end did. */
  readonly outcome: 'completed' | 'stopped' | 'interrupted';
  /** The operation at which it stopped, and why: a status, or a failure. */
  readonly stoppedAt?: { readonly operation: OperationId; readonly because: string };
  readonly worker?: number;
}

/** Last line; its absence means that the history is incomplete. */
export interface EndRecord {
  readonly kind: 'end';
  readonly at: Micros;
  readonly arrivals: number;
  readonly exchanges: number;
  readonly streams: number;
  readonly drops: number;
  readonly complete: boolean;
  /** Why it is not complete: `interrupted`, `deadline`, `disk`, `target`, `gate`, `budget`. Absent when complete. */
  readonly reason?: string;
  /** The gate that ended the run, as it is printed; absent when none did. */
  readonly gate?: string;
}

export type JournalRecord =
  | Header
  | ClockRecord
  | SentRecord
  | Exchange
  | StreamRecord
  | DropRecord
  | HealthRecord
  | JourneyRecord
  | EndRecord;
