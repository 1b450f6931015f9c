import type { OperationId } from '../api/index.ts';
import type { Micros } from '../base/index.ts';
import type { Exchange } from './records/exchange.ts';
import type { Header } from './records/header.ts';

/*
 * The records of the journal (design.md section 4), one JSON object per line. Times are microseconds on the run's monotonic clock,
 * zero at the start of the run. Optional members are absent, never null or zero.
 */

export * from './records/exchange.ts';
export * from './records/header.ts';

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

/** One event of a turn's stream, or its opening or closing. */
export interface StreamRecord {
  readonly kind: 'stream';
  readonly turn: string;
  readonly event: 'opened' | 'status' | 'delta' | 'completed' | 'failed' | 'closed' | 'unknown';
  readonly at: Micros;
  /** As of an exchange: how long before `at` the event may have arrived. */
  readonly readLateUs?: Micros;
  readonly sequence?: number;
  readonly status?: string;
  /** On `closed`: completed, failed, dropped, deadline, stopped. */
  readonly reason?: string;
  /** On `closed`: what the step expects of the answer, compared with the event that ended the turn. */
  readonly expect?: Exchange['expect'];
  /** Beside `expect`: the exchange that opened the stream. */
  readonly handshake?: Pick<Exchange, 'seq' | 'sentAt' | 'intendedAt'> & {
    /** Absent in older histories. */
    readonly journey?: string;
  };
  readonly worker?: number;
}

/**
 * Why an arrival was dropped. `max-in-flight`, `cap`: a cap with `whenFull: drop` was full. `late`: it was due, and the generator had
 * not started it in time (`noCatchUp`, or the run stopped meanwhile). `no-token`: the token requests that it shared with other
 * journeys of its user brought no token, or none in time, or two new tokens in a row were refused, after which none is requested for
 * this user. `stopped`: the run ended first, at its deadline or otherwise.
 */
export const dropReasons = ['max-in-flight', 'cap', 'late', 'no-token', 'stopped'] as const;

/** An arrival that was never started, or was stopped before it sent anything. */
export interface DropRecord {
  readonly kind: 'drop';
  readonly intendedAt: Micros;
  readonly arrival: number;
  readonly journey: string;
  readonly reason: (typeof dropReasons)[number];
  /** Number of arrivals of the same journey, second and reason left over at the run's end, including this one; absent: 1. */
  readonly count?: number;
  /** Index of the last of these arrivals; present with `count`. */
  readonly lastArrival?: number;
  readonly worker?: number;
}

/** Health of the generator in the interval that ends at `at`. */
export interface HealthRecord {
  readonly kind: 'health';
  readonly at: Micros;
  /** 99th percentile of the event loop's delay; absent if the interval was too short to measure it. */
  readonly eventLoopP99Us?: Micros;
  /** The median delay: how long an answer that has arrived typically waits before it is read. */
  readonly eventLoopP50Us?: Micros;
  /** The longest delay: how long the event loop stood still. */
  readonly eventLoopMaxUs?: Micros;
  /**
   * How long an answer that arrives at any instant waits on average before it is read. A standstill counts by its square: it delays
   * more answers, each for longer.
   */
  readonly eventLoopWaitUs?: Micros;
  /** 99th percentile of the delay between intended time plus cap waits and sending; absent if nothing was sent. */
  readonly scheduleLagP99Us?: Micros;
  readonly gcUs: Micros;
  /** The longest pause of garbage collection. */
  readonly gcMaxUs?: Micros;
  /** Records not yet on disk. */
  readonly backlog: number;
  /** Largest number of requests that waited for a free connection at the same time; absent if none did. */
  readonly connectionQueue?: number;
  /** Connections closed because bytes arrived that no request had asked for; absent if none. */
  readonly unasked?: number;
  /** Their numbers. All answers on them but the first may have been meant for an earlier request. Absent in older histories. */
  readonly unaskedOn?: readonly number[];
  /** CPU time of the generator in this interval. */
  readonly cpuUs?: Micros;
  readonly worker?: number;
}

/** How a journey ended, with its expectations and where it stopped. */
export interface JourneyRecord {
  readonly kind: 'journey';
  readonly arrival: number;
  readonly journey: string;
  /**
   * The intended time of its arrival; decides whether the journey belongs to the warm-up. Absent in older histories: then
   * `startedAt` is used.
   */
  readonly intendedAt?: Micros;
  readonly startedAt: Micros;
  readonly endedAt: Micros;
  /** `stopped`: a refusal or an error ended it, according to its policy. `interrupted`: the run's end ended it. */
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
  /**
   * Why it is not complete: `interrupted`, `deadline`, `disk`, `target`, `sandbox`, `gate`, `budget`; of lines that were read,
   * also `lines-unreadable`, `lines-doubled`. Absent when complete.
   */
  readonly reason?: string;
  /** The gate that ended the run, in the format of `printWindowedGate`; absent if none did. */
  readonly gate?: string;
}

/** Reasons for which a run ends before its plan has, while all that it sent has a record: what was open is recorded as given up. */
const CUT_SHORT: readonly (string | undefined)[] = ['interrupted', 'deadline', 'gate', 'budget'];

/**
 * Whether a run recorded all that it sent, as far as its end tells. Of another program that was stopped it is unknown what becomes of
 * its open requests: the format does not say.
 * @param exchanges how many it has
 */
export function recordedAllSent(
  { tool }: Pick<Header, 'tool'>,
  end: EndRecord | undefined,
  exchanges: number,
): boolean {
  if (end?.exchanges !== exchanges) return false;
  return end.complete || (tool.startsWith('spillway ') && CUT_SHORT.includes(end.reason));
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
