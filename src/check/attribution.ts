import { type LimitName, limitNames, namesNoOther, type OperationId, operationIds, operations } from '../api/index.ts';
import type { Exchange, ProfileWords } from '../history/index.ts';
import { Answer } from './evidence.ts';
import type { Rows } from './rows.ts';

/** A set of limits as bits: rate 1, concurrency 2, daily 4. */
export type LimitSet = number;
export const limitBit: Readonly<Record<LimitName, LimitSet>> = { rate: 1, concurrency: 2, daily: 4 };

export const limitsIn = (set: LimitSet): LimitName[] => limitNames.filter((limit) => (set & limitBit[limit]) !== 0);

/** Beside the limits that a code names: the code may be used for others, too (`namesNoOther`). */
const PERHAPS = 8;

/** What a 429's error code says: the limits that the profile maps it to, and `PERHAPS`; 0 where it maps it to none, or where there is no code. */
export function limitsNamed({ error }: Exchange, words: Pick<ProfileWords, 'errorCodes'>): LimitSet {
  if (error === undefined) return 0;
  const bitsOf = (limit: LimitName) => limitBit[limit] | (namesNoOther(words, limit, error.code) ? 0 : PERHAPS);
  const isNamed = (limit: LimitName) => words.errorCodes[limit].includes(error.code);
  return limitNames.reduce((set, limit) => (isNamed(limit) ? set | bitsOf(limit) : set), 0);
}

/**
 * Which limits a 429 may belong to: the one that its code names; else every limit that the operation can run into. Where the code
 * may be used for others, those as well of which the history shows no code. The token request may run into the rate limit:
 * whether it counts is a dimension of the readings.
 * @param named `limitsNamed`
 * @param withCodes as `settleRefusals` returns it
 */
export function limitsRefusing(named: number, operation: OperationId, withCodes: LimitSet): LimitSet {
  if (named === 0) return limitsOf[operation];
  if ((named & PERHAPS) === 0) return named;
  return (named & ~PERHAPS) | (limitsOf[operation] & ~withCodes);
}

/** Turns what the codes of refusals name into the limits that they may belong to. @returns limits of which the rows show a code of their own */
export function settleRefusals({ answer, refusedBy, unnamed, operation }: Rows): LimitSet {
  let withCodes = 0;
  const isRefused = (row: number) => answer[row] === Answer.refused;
  for (let row = 0; row < refusedBy.length; row++) {
    const named = (refusedBy[row] as number) & ~PERHAPS;
    if (isRefused(row) && unnamed[row] === 0 && isOne(named)) withCodes |= named;
  }
  for (let row = 0; row < refusedBy.length; row++)
    if (isRefused(row))
      refusedBy[row] = limitsRefusing(
        refusedBy[row] as number,
        operationIds[operation[row] as number] as OperationId,
        withCodes,
      );
  return withCodes;
}

const isOne = (set: LimitSet): boolean => set !== 0 && (set & (set - 1)) === 0;

const limitsOf = Object.fromEntries(
  (Object.keys(operations) as OperationId[]).map((id) => [
    id,
    operations[id].consumes.reduce((set: LimitSet, limit) => set | limitBit[limit], limitBit.rate),
  ]),
) as Readonly<Record<OperationId, LimitSet>>;
