import type { Exchange } from '../../history/index.ts';
import { floatsOf } from './columns.ts';
import type { Rows } from './rows.ts';
import type { Timeline } from './timeline.ts';

/** Run time by which the service has decided at the latest. */
export function decidedBy(exchange: Exchange, maxServerDelayUs: number): number {
  // Stamps are rounded down to whole microseconds: the status line may have come up to one later.
  const answeredAt = exchange.headersAt === undefined ? exchange.receivedAt : exchange.headersAt + 1;
  if (isServicesOwn(exchange)) return answeredAt;
  return Math.max(answeredAt, exchange.sentAt + maxServerDelayUs);
}

/** Whether the answer is certainly the service's own. A gateway answers on a timeout, too, and the service may still act. */
const isServicesOwn = ({ headersAt, status = 0, bodyProblem, outcome }: Exchange): boolean =>
  headersAt !== undefined && status > 0 && (status < 500 || outcome === 'refused') && bodyProblem === undefined;

/** The service time within which each row was decided; everything for doubtful records. */
export function serviceIntervals(
  rows: Rows,
  timeline: Timeline,
  delayUs: number,
): { from: Float64Array; to: Float64Array } {
  const from = floatsOf(rows.seq.length, (row) => timeline.at(rows.sentAt[row] as number));
  const to = floatsOf(rows.seq.length, (row) => timeline.at(rows.until[row] as number));
  for (let row = 0; row < rows.seq.length; row++) {
    if (rows.doubtful[row] === 1) {
      from[row] = Number.NEGATIVE_INFINITY;
      to[row] = Number.POSITIVE_INFINITY;
    } else if ((rows.until[row] as number) >= (rows.sentAt[row] as number) + delayUs) {
      // The delay may be meant in the service's time, which may run slower than ours.
      to[row] = Math.max(to[row] as number, (from[row] as number) + delayUs);
    }
  }
  return { from, to };
}
