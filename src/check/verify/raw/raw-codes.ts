import { type LimitName, limitNames, namesNoOther, type OperationId, operations } from '../../../api/index.ts';
import type { Exchange, ProfileWords } from '../../../history/index.ts';
import { doubtAbout } from '../../evidence/doubt.ts';
import { wasRefused } from './raw.ts';

/* Which limit refused, by the codes of errors; written separately from `attribution.ts`, like `raw.ts`. */

/** What identifies the limit that refused: the words of the profile, and the limits that some code names (`RawAttempts.withCodes`). */
export interface RawCodes {
  readonly words: ProfileWords;
  readonly withCodes: ReadonlySet<LimitName>;
}

/** Whether that limit certainly refused the exchange, so that it cannot have counted there as admitted. */
export function surelyRefusedBy(exchange: Exchange, limit: LimitName, codes: RawCodes): boolean {
  if (!wasRefused(exchange) || doubtAbout(exchange, codes.words) !== undefined) return false;
  const limits = refusers(exchange, codes);
  return limits.length === 1 && limits[0] === limit;
}

export const mayBeRefusedBy = (exchange: Exchange, limit: LimitName, codes: RawCodes): boolean =>
  wasRefused(exchange) && doubtAbout(exchange, codes.words) === undefined && refusers(exchange, codes).includes(limit);

/** Every limit that may have refused the exchange. */
function refusers(exchange: Exchange, { words, withCodes }: RawCodes): LimitName[] {
  const said = codeOf(exchange, words);
  return limitNames.filter((limit) => mayRefuse(limit, said, exchange.operation, withCodes));
}

/** What the code of a refusal says: the limits that the profile maps it to, and whether it may be used for others, too. */
export interface Said {
  readonly limits: readonly LimitName[];
  readonly perhapsOthers: boolean;
}

export function codeOf({ error }: Exchange, words: ProfileWords): Said {
  const code = error?.code;
  const { otherBodies } = words.errorCodes;
  if (code === undefined)
    return otherBodies === undefined
      ? { limits: [], perhapsOthers: true }
      : { limits: [otherBodies], perhapsOthers: false };
  const limits = limitNames.filter((limit) => words.errorCodes[limit].includes(code));
  return { limits, perhapsOthers: limits.some((limit) => !namesNoOther(words, limit, code)) };
}

/** @param said result of `codeOf` for a refusal of that operation */
export function mayRefuse(
  limit: LimitName,
  said: Said,
  operation: OperationId,
  withCodes: ReadonlySet<LimitName>,
): boolean {
  const { limits, perhapsOthers } = said;
  if (limits.includes(limit)) return true;
  const canMeet = limit === 'rate' || (operations[operation].consumes as readonly LimitName[]).includes(limit);
  return canMeet && (limits.length === 0 || (perhapsOthers && !withCodes.has(limit)));
}

/** Packs into one byte, never 0: a bit per limit, one for other limits, one for being a refusal. */
export const packed = ({ limits, perhapsOthers }: Said): number =>
  limitNames.reduce((bits, limit, i) => (limits.includes(limit) ? bits | (1 << i) : bits), perhapsOthers ? 24 : 16);

export const unpacked = (bits: number): Said => ({
  limits: limitNames.filter((_, i) => (bits & (1 << i)) !== 0),
  perhapsOthers: (bits & 8) !== 0,
});

/** Limits that some refusal's code names alone. @param said by row, `packed`; 0 is none */
export function limitsWithCodes(said: Uint8Array, isTwice: (row: number) => boolean): ReadonlySet<LimitName> {
  const found = new Set<LimitName>();
  for (let row = 0; row < said.length && found.size < limitNames.length; row++) {
    if (said[row] === 0 || isTwice(row)) continue;
    const { limits } = unpacked(said[row] as number);
    if (limits.length === 1) found.add(limits[0] as LimitName);
  }
  return found;
}
