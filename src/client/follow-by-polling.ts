import type { Clock, Micros } from '../base/index.ts';

/** What a poll learnt of the turn. */
export type PollSeen =
  | { readonly state: 'open' | 'completed' | 'failed' }
  | {
      /** Nothing was learnt: the poll was refused, failed, or its answer unusable. */
      readonly state: 'unknown';
      /** The policy's verdict. `continue` polls again at the next planned time. */
      readonly verdict: 'continue' | 'stop';
      /** No poll goes before this run time, for example because a Retry-After said so. Absent: the plan alone decides. */
      readonly retryAt?: Micros;
    };

/** Who is told, once, what a poll learnt. */
export interface PollListener {
  seen(seen: PollSeen): void;
}

export interface PollingOptions {
  readonly clock: Clock;
  /** Sends poll `k` (from 0) and tells the listener when its reply is there. */
  readonly poll: (k: number, intendedAt: Micros, listener: PollListener) => void;
  /** Intended time of poll 0. */
  readonly startAt: Micros;
  /** Between poll 0 and poll 1; > 0. */
  readonly intervalUs: Micros;
  /** Each further interval is this many times the one before; ≥ 1. */
  readonly backoff: number;
  readonly maxIntervalUs: Micros;
  /** No poll is intended at or after this run time. */
  readonly deadlineAt: Micros;
  readonly signal: AbortSignal;
  /** Told once, in the turn in which it is known; not where a poll tells nobody. */
  readonly ended: (end: PollingEnd) => void;
  /** Told what `poll` or `ended` threw after a wait; what they throw before, the caller gets. */
  readonly failed: (defect: unknown) => void;
}

/** `given-up`: a poll's policy said stop. `stopped`: the signal. */
export interface PollingEnd {
  readonly ended: 'completed' | 'failed' | 'deadline' | 'stopped' | 'given-up';
  /** Run time: of the last poll's reply, or of the deadline. */
  readonly at: Micros;
  /** How many polls were made. */
  readonly polls: number;
}

/**
 * Polls a turn until it ends. Poll k is intended at the planned time of poll k−1 plus the interval. When poll k−1 took
 * longer than that, poll k goes at once and keeps its intended time, so that the lateness shows in its response time; the
 * plan then goes on from the moment at which it went. Polls that would have fallen in between are not made up for:
 * at most one poll is ever late, and none leaves in a burst.
 * Tells a listener instead of resolving a promise: most requests of a fast run are polls, and a promise for each is felt.
 */
export function followByPolling(options: PollingOptions): void {
  new Polling(options).next();
}

class Polling implements PollListener {
  readonly #options: PollingOptions;
  #intendedAt: Micros;
  #intervalUs: number;
  #wentAt = 0 as Micros;
  #polls = 0;

  constructor(options: PollingOptions) {
    this.#options = options;
    this.#intendedAt = options.startAt;
    this.#intervalUs = Math.min(options.intervalUs, options.maxIntervalUs);
  }

  /** Makes the next poll once it is due. */
  next(): void {
    const { clock, deadlineAt, signal, failed } = this.#options;
    const now = clock.now();
    const wakeAt = Math.min(this.#intendedAt, deadlineAt) as Micros;
    if (now >= wakeAt) return this.#go(now);
    clock.sleepUntil(wakeAt, signal).then(() => {
      try {
        this.#go(clock.now());
      } catch (defect) {
        failed(defect);
      }
    }, failed);
  }

  #go(now: Micros): void {
    const { deadlineAt, signal, poll } = this.#options;
    if (signal.aborted) return this.#end('stopped');
    if (this.#intendedAt >= deadlineAt || now >= deadlineAt) return this.#end('deadline');
    this.#wentAt = now;
    poll(this.#polls++, this.#intendedAt, this);
  }

  seen(seen: PollSeen): void {
    const { backoff, maxIntervalUs, signal } = this.#options;
    if (seen.state === 'completed' || seen.state === 'failed') return this.#end(seen.state);
    if (signal.aborted) return this.#end('stopped');
    if (seen.state === 'unknown' && seen.verdict === 'stop') return this.#end('given-up');
    const advised = seen.state === 'unknown' ? (seen.retryAt ?? 0) : 0;
    const planned = Math.max(this.#intendedAt, this.#wentAt) + Math.round(this.#intervalUs);
    this.#intendedAt = Math.max(planned, advised) as Micros;
    this.#intervalUs = Math.min(this.#intervalUs * backoff, maxIntervalUs);
    this.next();
  }

  #end(ended: PollingEnd['ended']): void {
    const { clock, ended: tell } = this.#options;
    tell({ ended, at: clock.now(), polls: this.#polls });
  }
}
