import { type LimitName, limitNames, type OperationId, operations } from '../api/index.ts';
import type { Exchange, ProfileWords } from '../history/index.ts';

/** A set of limits as bits: rate 1, concurrency 2, daily 4. */
export type LimitSet = number;
export const limitBit: Readonly<Record<LimitName, LimitSet>> = { rate: 1, concurrency: 2, daily: 4 };

export const limitsIn = (set: LimitSet): LimitName[] => limitNames.filter((limit) => (set & limitBit[limit]) !== 0);

/**
 * Which limits a 429 may belong to: the one that the profile maps its code to; else every limit that the operation can
 * run into. The token request may run into the rate limit: whether it counts is a dimension of the readings.
 */
export function limitsRefusing(exchange: Exchange, words: Pick<ProfileWords, 'errorCodes'>): LimitSet {
  const code = exchange.error?.code;
  if (code !== undefined) {
    const named = limitNames.reduce(
      (set, limit) => (words.errorCodes[limit].includes(code) ? set | limitBit[limit] : set),
      0,
    );
    if (named !== 0) return named;
  }
  return limitsOf[exchange.operation];
}

const limitsOf = Object.fromEntries(
  (Object.keys(operations) as OperationId[]).map((id) => [
    id,
    operations[id].consumes.reduce((set: LimitSet, limit) => set | limitBit[limit], limitBit.rate),
  ]),
) as Readonly<Record<OperationId, LimitSet>>;
