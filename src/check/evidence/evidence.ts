import type { EndRecord, Header, ProfileWords } from '../../history/index.ts';
import type { ExchangeRef } from '../certificates/certificate.ts';
import type { Names } from './columns.ts';
import type { Skipped } from './doubt.ts';
import type { Places } from './labels.ts';
import type { Rows } from './rows.ts';
import type { Timeline } from './timeline.ts';
import type { TurnTimes } from './turn-times.ts';

/**
 * The outcome of an attempt. `admitted`: the success status of its operation, with a usable body. `refused`: a 429. `maybe`:
 * anything else, including a success that an intermediary may have made (another status, or an unusable body).
 */
export const Answer = { admitted: 0, refused: 1, maybe: 2 } as const;
export type Answer = (typeof Answer)[keyof typeof Answer];

/**
 * Whether an attempt at a message may only repeat one that was decided before. `no`: it was the first of all attempts to be sent,
 * so whichever attempt counted did so while this one was under way. `perhaps`: unknown. `marked`: the client says that it is a
 * repetition, and the message may be older than the history.
 */
export const Replay = { no: 0, perhaps: 1, marked: 2 } as const;

/**
 * Statuses that say that a message was not accepted (specification section 7; 404 as every service has it): it is not charged, becomes
 * no turn, and may have held a slot until that answer, not longer.
 */
const NOT_TAKEN: readonly number[] = [401, 404, 413, 422];

/** Whether the service may have accepted an attempt at a message. */
export function mayBeTaken({ answer, doubtful, status }: Rows, row: number): boolean {
  if (answer[row] === Answer.refused) return false;
  return answer[row] !== Answer.maybe || doubtful[row] === 1 || !NOT_TAKEN.includes(status[row] as number);
}

/** Every attempt of a history, one row each, in columns (some seventy bytes per row), and what is needed to judge them. */
export interface Evidence extends Rows {
  readonly header: Header;
  readonly end?: EndRecord;
  readonly words: ProfileWords;
  readonly timeline: Timeline;
  readonly size: number;
  /** Limits for which a refusal's code shows that they have their own code (`LimitSet`). */
  readonly withCodes: number;
  /** Rows in rising order of `from`. */
  readonly order: Uint32Array;
  /** The service decided within [from, to], service µs since run time 0; −∞ and ∞ for doubtful records. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly places: Places;
  readonly refOf: (row: number) => ExchangeRef;
  /**
   * By number of message, the group of those that have one client_message_id, in whichever conversations: a service may treat them
   * as one. Absent: no other message has its id.
   */
  readonly sameId: ReadonlyMap<number, number>;
  readonly turns: TurnTimes;
  /** Identifiers of turns by number, from 1. */
  readonly turnIds: Pick<Names<string>, 'name' | 'find'>;
  /** Whether every request that was sent has its record and every line of the history could be read. */
  readonly complete: boolean;
  readonly skipped: Skipped;
}

/**
 * The attempts alone that may have been decided before an instant. A refusal that may have been decided later, after attempts that
 * are left out, counts as an attempt of which nothing is known.
 */
export function evidenceBefore(evidence: Evidence, endUs: number): Evidence {
  const { from, to, order } = evidence;
  const answer = evidence.answer.map((one, row) =>
    one === Answer.refused && (to[row] as number) >= endUs ? Answer.maybe : one,
  );
  return { ...evidence, answer, order: order.filter((row) => (from[row] as number) < endUs) };
}
