import type { Certificate, ExchangeRef } from '../../certificates/certificate.ts';
import { countedAs, Raw } from '../raw/buckets.ts';
import { countedOperations, type Decided } from '../raw/raw.ts';
import type { RawHistory } from '../raw/raw-history.ts';
import type { Refused, Rivals } from '../raw/raw-rivals.ts';
import type { Terms } from './terms.ts';

/** Finds the exchanges that a rate certificate names in the history. */

/** The decisions of the named exchanges, if each was certainly admitted, counted and in scope, and none is named twice. */
export function surelyAdmitted(
  certificate: Certificate,
  refs: readonly ExchangeRef[],
  { attempts }: RawHistory,
): Decided[] | undefined {
  const counting = countedOperations(certificate.counts);
  const found = refs.flatMap((ref) => attempts.attempt(ref) ?? []);
  const good = found.every(
    (attempt) =>
      countedAs(attempt.flags, attempt.mayBeReplay, counting) === 'surely' &&
      counting.operations.includes(attempt.operation) &&
      attempts.isInScope(attempt, certificate),
  );
  return good && found.length === refs.length && new Set(refs).size === refs.length
    ? found.map(({ decided }) => decided)
    : undefined;
}

/** A refusal, and all that may have counted in its bucket. */
export interface AmongRivals {
  readonly refusal: Refused;
  readonly rivals: Rivals;
}

/**
 * The refusal among its rivals, if it can be judged at all. One that says where windows begin must certainly be this limit's;
 * otherwise it may be.
 */
export function judgeableRefusal(
  wanted: ExchangeRef,
  certificate: Certificate,
  { header, complete, attempts }: RawHistory,
  terms: Terms,
): AmongRivals | undefined {
  const found = attempts.attempt(wanted);
  if (!found || !attempts.isInScope(found, certificate)) return undefined;
  const known = terms.flushed || found.decided.from >= terms.ownSince + 2 * terms.longUs;
  const byThisLimit = (found.flags & ('arcs' in certificate ? Raw.surelyRate : Raw.mayBeRate)) !== 0;
  if (!header.exclusive || !complete || !known || !byThisLimit) return undefined;
  const rivals = attempts.rivalsOf(certificate);
  return { refusal: { ...found.decided, index: rivals.indexOf(found.index) }, rivals };
}
