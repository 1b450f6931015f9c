import type { Micros } from '../../base/index.ts';
import type { Turn } from '../../history/index.ts';

/** How long a completed turn took. */
export interface Completion {
  readonly by: 'poll' | 'stream' | 'message';
  /** When it was observed. */
  readonly at: Micros;
  /** From acceptance to that observation. */
  readonly observedUs: number;
  /** Bounds of the time that the service took; only if a poll showed the end. */
  readonly bounds?: { readonly shortestUs: number; readonly longestUs: number };
}

/** `undefined` for a turn that did not complete, or whose time of acceptance is unknown. */
export function completionOf({ state, acceptance, acceptedAfter, finished }: Turn): Completion | undefined {
  if (state !== 'completed' || !acceptance || acceptedAfter !== undefined || !finished) return undefined;
  const { by, observedAt } = finished;
  return {
    by,
    at: observedAt,
    observedUs: observedAt - acceptance.headersAt,
    ...(by === 'poll' && {
      bounds: {
        shortestUs: (finished.after ?? acceptance.sentAt) - acceptance.headersAt,
        longestUs: finished.before - acceptance.sentAt,
      },
    }),
  };
}

/** From acceptance to an instant; `undefined` if one of them is unknown. */
export const sinceAcceptance = ({ acceptance, acceptedAfter }: Turn, at: Micros | undefined): number | undefined =>
  acceptance && acceptedAfter === undefined && at !== undefined ? at - acceptance.headersAt : undefined;

/** Approximately when the service reported its own latency: with the answer of the poll that saw the end. */
export const latencyReportedAt = ({ seenByPollAt, finished, acceptance }: Turn): Micros =>
  seenByPollAt ?? finished?.observedAt ?? acceptance?.receivedAt ?? (0 as Micros);
