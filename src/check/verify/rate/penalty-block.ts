import type { OverAdmission } from '../../certificates/certificate.ts';
import { countedAs, Raw } from '../raw/buckets.ts';
import type { RawAttempt } from '../raw/ledger.ts';
import { countedOperations, type Decided } from '../raw/raw.ts';
import type { RawHistory } from '../raw/raw-history.ts';
import type { Rivals } from '../raw/raw-rivals.ts';
import { surelyAdmitted } from './named.ts';
import type { Terms } from './terms.ts';

/**
 * Whether a request was refused between two that were admitted, although the later of these came less than a window after anything
 * that can have been refused since the earlier one. A refusal blocks for a window, and the earlier one was not blocked.
 */
export function verifiesBlock(certificate: OverAdmission, history: RawHistory, terms: Terms): boolean {
  const { exchanges, scope, observed } = certificate;
  const { header, complete, attempts } = history;
  const isNarrowest = scope.conversation !== undefined && scope.operation !== undefined;
  const isKnown = header.exclusive && complete && terms.flushed && terms.shortUs > 0 && !isNarrowest;
  const [first, middle, last] = exchanges;
  if (!isKnown || exchanges.length !== 3 || observed !== 3) return false;
  if (first === undefined || middle === undefined || last === undefined) return false;
  const [before, after] = surelyAdmitted(certificate, [first, last], history) ?? [];
  const refusal = attempts.attempt(middle);
  if (!before || !after || !refusal || !isRefused(refusal, certificate, history)) return false;
  return wasBlocked([before, refusal.decided, after], attempts.rivalsOf(certificate), terms);
}

function isRefused(attempt: RawAttempt, certificate: OverAdmission, { attempts }: RawHistory): boolean {
  const counting = countedOperations(certificate.counts);
  return (
    (attempt.flags & Raw.surelyRate) !== 0 &&
    countedAs(attempt.flags, attempt.mayBeReplay, counting) !== 'surely' &&
    counting.operations.includes(attempt.operation) &&
    attempts.isInScope(attempt, certificate)
  );
}

/** @param three an admission, a refusal and an admission */
export function wasBlocked(
  [before, refusal, after]: readonly [Decided, Decided, Decided],
  rivals: Rivals,
  { shortUs, backUs }: Pick<Terms, 'shortUs' | 'backUs'>,
): boolean {
  // An earlier block, over at the admission, may not have been over on another node's clock.
  if (before.to >= refusal.from - backUs || refusal.to >= after.from) return false;
  for (let i = 0; i < rivals.size; i++) {
    if (rivals.admitted[i] === 1 || (rivals.to[i] as number) < before.from) continue;
    const blockedFrom = Math.max(before.from, rivals.from[i] as number);
    if (after.to - blockedFrom >= shortUs) return false;
  }
  return true;
}
