import {
  type LimitName,
  limitNames,
  limitOfRefusal,
  namesNoOther,
  type OperationId,
  operationIds,
  operations,
} from '../../api/index.ts';
import type { Exchange, ProfileWords } from '../../history/index.ts';
import { Answer } from './evidence.ts';
import type { Rows } from './rows.ts';

/** A set of limits as bits: rate 1, concurrency 2, daily 4. */
export type LimitSet = number;
export const limitBit: Readonly<Record<LimitName, LimitSet>> = { rate: 1, concurrency: 2, daily: 4 };

export const limitsIn = (set: LimitSet): LimitName[] => limitNames.filter((limit) => (set & limitBit[limit]) !== 0);

/** Flag beside the limits that a code names: the code may be used for other limits, too (`namesNoOther`). */
const PERHAPS = 8;

/**
 * What a 429's error code says, or the lack of one: the limits that the profile maps it to, plus `PERHAPS` if they need not be all.
 * 0 if the profile maps it to none.
 */
export function limitsNamed(exchange: Exchange, words: Pick<ProfileWords, 'errorCodes'>): LimitSet {
  const { error } = exchange;
  if (error === undefined) {
    const named = limitOfRefusal(words, exchange);
    return named === undefined ? 0 : limitBit[named];
  }
  const bitsOf = (limit: LimitName) => limitBit[limit] | (namesNoOther(words, limit, error.code) ? 0 : PERHAPS);
  const isNamed = (limit: LimitName) => words.errorCodes[limit].includes(error.code);
  return limitNames.reduce((set, limit) => (isNamed(limit) ? set | bitsOf(limit) : set), 0);
}

/**
 * Which limits may have refused a 429: the limits that its code names, or every limit that applies to the operation if it names
 * none. If the code may be used for other limits, those limits are added for which the history shows no code. A token request may
 * be refused by the rate limit: whether it counts there is one of the things that readings differ in.
 * @param named result of `limitsNamed`
 * @param withCodes result of `settleRefusals`
 */
export function limitsRefusing(named: number, operation: OperationId, withCodes: LimitSet): LimitSet {
  if (named === 0) return limitsOf[operation];
  if ((named & PERHAPS) === 0) return named;
  return (named & ~PERHAPS) | (limitsOf[operation] & ~withCodes);
}

/**
 * Replaces what the codes of refusals name by the limits that may have refused them.
 * @returns the limits for which the rows show a code of their own
 */
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

/** How many 429s this limit may have sent although their body is not the service's error, so that they are no evidence of it. */
export function foreignRefusals(limit: LimitName, { foreign, operation }: Pick<Rows, 'foreign' | 'operation'>): number {
  let count = 0;
  for (let row = 0; row < foreign.length; row++) {
    const applies = limitsOf[operationIds[operation[row] as number] as OperationId] & limitBit[limit];
    if (foreign[row] === 1 && applies !== 0) count += 1;
  }
  return count;
}

const isOne = (set: LimitSet): boolean => set !== 0 && (set & (set - 1)) === 0;

const limitsOf = Object.fromEntries(
  (Object.keys(operations) as OperationId[]).map((id) => [
    id,
    operations[id].consumes.reduce((set: LimitSet, limit) => set | limitBit[limit], limitBit.rate),
  ]),
) as Readonly<Record<OperationId, LimitSet>>;
