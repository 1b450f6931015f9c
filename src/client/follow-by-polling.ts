import type { Clock, Micros } from '../base/index.ts';

/** What a poll showed of the turn. */
export type PollSeen =
  | { readonly state: 'open' | 'completed' | 'failed' }
  | {
      /** The poll showed nothing: it was refused, failed, or its answer was unusable. */
      readonly state: 'unknown';
      /** The policy's decision. `continue` polls again at the next planned time. */
      readonly verdict: 'continue' | 'stop';
    };

/** Receives the result of a poll, once. */
export interface PollListener {
  seen(seen: PollSeen): void;
}

export interface PollingOptions {
  readonly clock: Clock;
  /** Sends a poll and calls the listener when its reply is there. */
  readonly poll: (intendedAt: Micros, listener: PollListener) => void;
  /** Intended time of poll 0. */
  readonly startAt: Micros;
  /** Between poll 0 and poll 1; > 0. */
  readonly intervalUs: Micros;
  /** Factor from each interval to the next; ≥ 1. */
  readonly backoff: number;
  readonly maxIntervalUs: Micros;
  /** No poll is intended at or after this run time. */
  readonly deadlineAt: Micros;
  readonly signal: AbortSignal;
  /** Called once, in the turn in which the end is known; never if a poll does not call its listener. */
  readonly ended: (end: PollingEnd) => void;
  /** Called with an error that `poll` or `ended` threw after a wait; earlier errors are thrown to the caller. */
  readonly failed: (defect: unknown) => void;
}

/** `given-up`: a poll's policy said stop. `stopped`: the signal was aborted. */
export type PollingEnd = 'completed' | 'failed' | 'deadline' | 'stopped' | 'given-up';

/**
 * Polls a turn until it ends. Poll k is intended at the planned time of poll k−1 plus the interval. If poll k−1 took longer than
 * that, poll k goes at once and keeps its intended time, so that the delay shows in its response time; the plan then continues
 * from the moment at which it went, as it does if the generator stood still for an interval or longer. Polls that would have
 * fallen in between are skipped: at most one poll is ever late, and none leaves in a burst. A shorter delay of the generator moves
 * no later poll, because such delays would add up. Calls a listener instead of resolving a promise: most requests of a fast run
 * are polls, and a promise for each is noticeable.
 */
export function followByPolling(options: PollingOptions): void {
  new Polling(options).next(options.clock.now());
}

class Polling implements PollListener {
  readonly #options: PollingOptions;
  #intendedAt: Micros;
  #intervalUs: number;
  /** From when the interval to the next poll counts. */
  #countedFrom: Micros;

  constructor(options: PollingOptions) {
    this.#options = options;
    this.#intendedAt = options.startAt;
    this.#countedFrom = options.startAt;
    this.#intervalUs = Math.min(options.intervalUs, options.maxIntervalUs);
  }

  /** Makes the next poll once it is due. */
  next(now: Micros): void {
    const { clock, deadlineAt, signal, failed } = this.#options;
    const wakeAt = Math.min(this.#intendedAt, deadlineAt) as Micros;
    const isPlanned = this.#intendedAt < deadlineAt;
    if (now >= wakeAt) return this.#go(now, isPlanned && now < deadlineAt);
    clock.sleepUntil(wakeAt, signal).then(() => {
      try {
        // Also after the deadline if only a standstill of the generator lies between: the turn may be completed long since.
        this.#go(clock.now(), isPlanned);
      } catch (defect) {
        failed(defect);
      }
    }, failed);
  }

  #go(now: Micros, isInTime: boolean): void {
    const { signal, poll, ended } = this.#options;
    if (signal.aborted) return ended('stopped');
    if (!isInTime) return ended('deadline');
    if (now - this.#intendedAt >= this.#intervalUs) this.#countedFrom = now;
    poll(this.#intendedAt, this);
  }

  seen(seen: PollSeen): void {
    const { clock, backoff, maxIntervalUs, signal, ended } = this.#options;
    if (seen.state === 'completed' || seen.state === 'failed') return ended(seen.state);
    if (signal.aborted) return ended('stopped');
    if (seen.state === 'unknown' && seen.verdict === 'stop') return ended('given-up');
    const now = clock.now();
    this.#intendedAt = (this.#countedFrom + Math.round(this.#intervalUs)) as Micros;
    this.#countedFrom = Math.max(this.#intendedAt, now) as Micros;
    this.#intervalUs = Math.min(this.#intervalUs * backoff, maxIntervalUs);
    this.next(now);
  }
}
