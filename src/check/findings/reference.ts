import type { ExchangeRef } from '../certificates/certificate.ts';
import type { Evidence } from '../evidence/evidence.ts';

/** Which exchange: `worker` is 0 in a run with one. */
export interface Reference {
  readonly worker: number;
  readonly seq: number;
}

export const refOf = ({ worker, seq }: Reference): ExchangeRef => (worker === 0 ? seq : `${worker}:${seq}`);

/** Rising in time of sending; equal instants in the order of worker and sequence number. */
export const bySending = <T extends Reference & { readonly sentAt: number }>(a: T, b: T): number =>
  a.sentAt - b.sentAt || a.worker - b.worker || a.seq - b.seq;

/** Whether an exchange is doubtful because several records have its number. */
export function doubtfulIn(evidence: Evidence): (reference: Reference) => boolean {
  const doubtful = new Set<ExchangeRef>();
  evidence.doubtful.forEach((flag, row) => {
    if (flag) doubtful.add(evidence.refOf(row));
  });
  return doubtful.size === 0 ? () => false : (reference) => doubtful.has(refOf(reference));
}
