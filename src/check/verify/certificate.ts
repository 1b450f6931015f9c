import type { Arcs, Certificate, OverAdmission } from '../certificates/certificate.ts';
import { verifiesDaily } from './days/daily.ts';
import { holdsOverAdmission } from './over-admission.ts';
import { holdsArcs, type RawArc, rawArcs } from './rate/arcs.ts';
import { holdsOfWindows, isOfWindows } from './rate/chain.ts';
import { neverLeftAlone } from './rate/counter.ts';
import { judgeableRefusal, surelyAdmitted } from './rate/named.ts';
import { verifiesBlock } from './rate/penalty-block.ts';
import { type Terms, termsOf } from './rate/terms.ts';
import { holdsWrongfulRefusal } from './rate/wrongful-refusal.ts';
import { countedAs, Raw } from './raw/buckets.ts';
import type { RawAttempt } from './raw/ledger.ts';
import { countedOperations, isOfKnownUser, type Labels } from './raw/raw.ts';
import type { RawHistory } from './raw/raw-history.ts';
import type { Rivals } from './raw/raw-rivals.ts';
import { rulesOut } from './rules.ts';
import { verifiesConcurrency } from './slots/concurrency.ts';

/**
 * Whether the inequality of a rate certificate holds; the other limits have their own verifiers. `isAsCounted` checks that it
 * prints nothing else.
 */
export function verifies(certificate: Certificate, history: RawHistory): boolean {
  if (!rulesOut(certificate)) return false;
  if (!isOfKnownUser(certificate, () => labelsFor(certificate, history))) return false;
  if (certificate.limit === 'concurrency') return verifiesConcurrency(certificate, history);
  if (certificate.limit === 'daily') return verifiesDaily(certificate, history);
  const { max, windowUs } = history.header.limits.rate;
  if (certificate.max !== max || certificate.windowUs !== windowUs) return false;
  const terms = termsOf(certificate, history);
  if ('arcs' in certificate) return verifiesArcs(certificate, history, terms);
  if (certificate.because === 'wrongful-refusal') {
    const found = judgeableRefusal(certificate.refusal, certificate, history, terms);
    if (!found) return false;
    const { refusal, rivals } = found;
    return holdsWrongfulRefusal(certificate, refusal, rivals, terms, listedAmong(rivals, certificate, history));
  }
  if (certificate.rule === 'fixed-window-penalty-block') return verifiesBlock(certificate, history, terms);
  if (certificate.rule === 'sliding-log-attempts') return verifiesAttempts(certificate, history, terms);
  const admitted = surelyAdmitted(certificate, certificate.exchanges, history);
  if (admitted && isOfWindows(certificate)) {
    const { header, complete, attempts } = history;
    const isKnown = header.exclusive && complete && terms.flushed && terms.shortUs > 0;
    return isKnown && holdsOfWindows(certificate, admitted, attempts.rivalsOf(certificate), terms);
  }
  return admitted !== undefined && holdsOverAdmission(certificate, admitted, terms);
}

const labelsFor = ({ limit }: Certificate, { attempts, exchanges }: RawHistory): readonly Labels[] =>
  limit === 'rate' ? attempts.labels : exchanges.map(({ exchange }) => exchange);

/** Indices among the rivals of the exchanges that a certificate names. */
function listedAmong(rivals: Rivals, { exchanges }: Certificate, { attempts }: RawHistory): ReadonlySet<number> {
  const named = exchanges.flatMap((ref) => attempts.attempt(ref) ?? []);
  return new Set(named.map(({ index }) => rivals.indexOf(index)));
}

/** The attempt that began last was admitted although N others, admitted or refused, were certainly made within W before it. */
function verifiesAttempts(certificate: OverAdmission, { attempts }: RawHistory, { max, shortUs }: Terms): boolean {
  const counting = countedOperations(certificate.counts);
  const found = certificate.exchanges.flatMap((ref) => attempts.attempt(ref) ?? []);
  const last = found.reduce<RawAttempt | undefined>(
    (a, b) => (a && a.decided.from >= b.decided.from ? a : b),
    undefined,
  );
  const isAdmitted = ({ flags, mayBeReplay }: RawAttempt) => countedAs(flags, mayBeReplay, counting) === 'surely';
  const isMade = (attempt: RawAttempt) =>
    (isAdmitted(attempt) || (attempt.flags & Raw.surelyRate) !== 0) &&
    counting.operations.includes(attempt.operation) &&
    attempts.isInScope(attempt, certificate);
  if (!last || !isAdmitted(last) || !found.every(isMade)) return false;
  const before = found.filter(
    ({ decided }) => decided.to < last.decided.from && last.decided.to - decided.from < shortUs,
  );
  const areDifferent = new Set(found.map(({ index }) => index)).size === certificate.exchanges.length;
  return areDifferent && before.length >= max && before.length === found.length - 1;
}

function verifiesArcs(certificate: Arcs, history: RawHistory, terms: Terms): boolean {
  const arcs = rawArcs(certificate, history, terms);
  if (!arcs) return false;
  if (certificate.rule === 'sliding-counter-arcs' && !isOfOneCounter(certificate, arcs, history, terms)) return false;
  return holdsArcs(certificate, arcs, terms);
}

function isOfOneCounter(certificate: Arcs, arcs: readonly RawArc[], { attempts }: RawHistory, terms: Terms): boolean {
  const named = arcs.flatMap((arc) => ('decided' in arc ? arc.decided : 'refusal' in arc ? [arc.refusal] : []));
  return neverLeftAlone(named, attempts.rivalsOf(certificate), terms);
}
