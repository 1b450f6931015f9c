import type { Certificate, ExchangeRef, OverAdmission, WrongfulRefusal } from '../../certificates/certificate.ts';
import type { Recounted } from '../counted.ts';
import { mostPossible, spanOf } from '../over-admission.ts';
import type { Decided, Stamps } from '../raw/raw.ts';
import type { RawHistory } from '../raw/raw-history.ts';
import type { Rivals } from '../raw/raw-rivals.ts';
import { isOfWindows, mostInWindows } from './chain.ts';
import { countedArcs } from './counted-arcs.ts';
import { judgeableRefusal, surelyAdmitted } from './named.ts';
import { type Terms, termsOf } from './terms.ts';
import { countedRefusal } from './wrongful-refusal.ts';

/** What a certificate of the rate limit has to print, given its rule, its bucket and the exchanges that it names. */
export function countedRate(certificate: Certificate, history: RawHistory): Recounted | undefined {
  const terms = termsOf(certificate, history);
  if ('arcs' in certificate) return countedArcs(certificate, history, terms);
  return certificate.because === 'wrongful-refusal'
    ? countedFew(certificate, history, terms)
    : countedMany(certificate, history, terms);
}

function countedMany(certificate: OverAdmission, history: RawHistory, terms: Terms): Recounted | undefined {
  const { because, exchanges, rule } = certificate;
  const decided =
    rule === 'sliding-log-attempts' || rule === 'fixed-window-penalty-block'
      ? exchanges.flatMap((ref) => history.attempts.attempt(ref)?.decided ?? [])
      : surelyAdmitted(certificate, exchanges, history);
  const possible = decided && possibleOf(certificate, decided, history, terms);
  // Exactly one more than possible: with fewer the proof would not hold, and it needs no more.
  if (!decided || possible === undefined || decided.length !== possible + 1) return undefined;
  const members = { because, spanUs: spanOf(decided), observed: decided.length, possible, exchanges };
  return { members, stamps: stampsOf(exchanges, history) };
}

function possibleOf(
  certificate: OverAdmission,
  decided: readonly Decided[],
  { attempts }: RawHistory,
  terms: Terms,
): number | undefined {
  if (certificate.rule === 'sliding-log-attempts') return terms.max;
  // Any two of an admission, a refusal and an admission.
  if (certificate.rule === 'fixed-window-penalty-block') return 2;
  if (!isOfWindows(certificate)) return mostPossible(certificate.rule, decided, terms);
  return mostInWindows(certificate, decided, attempts.rivalsOf(certificate), terms);
}

function countedFew(certificate: WrongfulRefusal, history: RawHistory, terms: Terms): Recounted | undefined {
  const { rule, refusal, because } = certificate;
  const found = judgeableRefusal(refusal, certificate, history, terms);
  const counted = found && countedRefusal(rule, found.refusal, found.rivals, terms);
  if (!counted) return undefined;
  const { observed, needed, lookBackUs, listed } = counted;
  const exchanges = refsOf(listed, found.rivals, history);
  const members = { because, refusal, lookBackUs, observed, needed, exchanges };
  const rows = [...listed, found.refusal.index].map((index) => found.rivals.attemptAt(index));
  return { members, stamps: rows.map((row) => history.attempts.stampsAt(row)) };
}

const stampsOf = (refs: readonly ExchangeRef[], { attempts }: RawHistory): Stamps[] =>
  refs.flatMap((ref) => attempts.attempt(ref) ?? []).map(({ index }) => attempts.stampsAt(index));

/** References of the rivals with these indices. */
const refsOf = (indices: Iterable<number>, rivals: Rivals, { attempts }: RawHistory): ExchangeRef[] =>
  Array.from(indices, (index) => attempts.refOf(rivals.attemptAt(index)));
