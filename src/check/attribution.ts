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
export const limitsRefusing = (exchange: Exchange, words: Pick<ProfileWords, 'errorCodes'>): LimitSet =>
  limitsNamed(exchange, words) || limitsOf[exchange.operation];

/** The limits that the profile maps a 429's error code to; none where it maps it to none, or where there is no code. */
export function limitsNamed({ error }: Exchange, { errorCodes }: Pick<ProfileWords, 'errorCodes'>): LimitSet {
  if (error === undefined) return 0;
  const isNamed = (limit: LimitName) => errorCodes[limit].includes(error.code);
  return limitNames.reduce((set, limit) => (isNamed(limit) ? set | limitBit[limit] : set), 0);
}

const limitsOf = Object.fromEntries(
  (Object.keys(operations) as OperationId[]).map((id) => [
    id,
    operations[id].consumes.reduce((set: LimitSet, limit) => set | limitBit[limit], limitBit.rate),
  ]),
) as Readonly<Record<OperationId, LimitSet>>;
