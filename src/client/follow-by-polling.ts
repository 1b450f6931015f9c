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

export interface PollingOptions {
  readonly clock: Clock;
  /** Sends poll `k` (from 0) and resolves when its reply is there. */
  readonly poll: (k: number, intendedAt: Micros) => Promise<PollSeen>;
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
 */
export async function followByPolling(options: PollingOptions): Promise<PollingEnd> {
  const { clock, poll, maxIntervalUs, backoff, deadlineAt, signal } = options;
  let intendedAt = options.startAt;
  let intervalUs = Math.min(options.intervalUs, maxIntervalUs);
  let polls = 0;
  const end = (ended: PollingEnd['ended'], at = clock.now()): PollingEnd => ({ ended, at, polls });
  for (;;) {
    const wakeAt = Math.min(intendedAt, deadlineAt) as Micros;
    if (clock.now() < wakeAt) await clock.sleepUntil(wakeAt, signal);
    if (signal.aborted) return end('stopped');
    const wentAt = clock.now();
    if (intendedAt >= deadlineAt || wentAt >= deadlineAt) return end('deadline');
    const seen = await poll(polls++, intendedAt);
    if (seen.state === 'completed' || seen.state === 'failed') return end(seen.state);
    if (signal.aborted) return end('stopped');
    if (seen.state === 'unknown' && seen.verdict === 'stop') return end('given-up');
    const advised = seen.state === 'unknown' ? (seen.retryAt ?? 0) : 0;
    intendedAt = Math.max(Math.max(intendedAt, wentAt) + Math.round(intervalUs), advised) as Micros;
    intervalUs = Math.min(intervalUs * backoff, maxIntervalUs);
  }
}
