import type { Micros } from '../base/index.ts';
import type { Turn } from '../history/index.ts';

/** How long a completed turn took. */
export interface Completion {
  readonly by: 'poll' | 'stream' | 'message';
  /** When it was told. */
  readonly at: Micros;
  /** From the acceptance to then. */
  readonly observedUs: number;
  /** Where a poll told: the least and the most that the service can have taken. */
  readonly bounds?: { readonly shortestUs: number; readonly longestUs: number };
}

/** `undefined` of a turn that did not complete, or of which nobody knows when it was accepted. */
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

/** From its acceptance to an instant; `undefined` where nobody knows one of them. */
export const sinceAcceptance = ({ acceptance, acceptedAfter }: Turn, at: Micros | undefined): number | undefined =>
  acceptance && acceptedAfter === undefined && at !== undefined ? at - acceptance.headersAt : undefined;

/** About when the service told its own latency: with the answer of the poll that saw the end. */
export const latencyToldAt = ({ seenByPollAt, finished, acceptance }: Turn): Micros =>
  seenByPollAt ?? finished?.observedAt ?? acceptance?.receivedAt ?? (0 as Micros);
