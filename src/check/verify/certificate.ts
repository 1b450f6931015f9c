import type { Exchange, Header, ProfileWords, StreamRecord } from '../../history/index.ts';
import type { Arc, Arcs, Certificate, ExchangeRef, OverAdmission } from '../certificate.ts';
import type { Timeline } from '../timeline.ts';
import { holdsArcs, type RawArc } from './arcs.ts';
import { countedAs, Raw } from './buckets.ts';
import { holdsOfWindows, isOfWindows } from './chain.ts';
import { verifiesConcurrency } from './concurrency.ts';
import { neverLeftAlone } from './counter.ts';
import { verifiesDaily } from './daily.ts';
import type { RawAttempt, RawAttempts } from './ledger.ts';
import { holdsOverAdmission } from './over-admission.ts';
import { countedOperations, type Decided, ownSince } from './raw.ts';
import type { Rivals } from './raw-rivals.ts';
import { rulesOut } from './rules.ts';
import { holdsWrongfulRefusal, type Refused } from './wrongful-refusal.ts';

export interface RawExchange {
  readonly ref: ExchangeRef;
  readonly exchange: Exchange;
  /** Its sequence number occurs more than once. */
  readonly doubted: boolean;
  readonly decided: Decided;
}

/** What a verifier reads. */
export interface RawHistory {
  readonly header: Header;
  readonly words: ProfileWords;
  readonly timeline: Timeline;
  readonly complete: boolean;
  /** For certificates of the rate limit. */
  readonly attempts: RawAttempts;
  /** Messages and polls, and events of streams, where certificates of the other limits need them. */
  readonly exchanges: readonly RawExchange[];
  readonly streams: readonly StreamRecord[];
}

/** Whether the certificate's inequality holds. Rate limit; the other limits have verifiers of their own. */
export function verifies(certificate: Certificate, history: RawHistory): boolean {
  if (!rulesOut(certificate)) return false;
  if (certificate.limit === 'concurrency') return verifiesConcurrency(certificate, history);
  if (certificate.limit === 'daily') return verifiesDaily(certificate, history);
  const { max, windowUs } = history.header.limits.rate;
  if (certificate.max !== max || certificate.windowUs !== windowUs) return false;
  const terms = termsOf(certificate, history);
  if ('arcs' in certificate) return verifiesArcs(certificate, history, terms);
  if (certificate.because === 'wrongful-refusal') {
    const found = judgeableRefusal(certificate.refusal, certificate, history, terms, false);
    if (!found) return false;
    const { refusal, rivals } = found;
    return holdsWrongfulRefusal(certificate, refusal, rivals, terms, listedAmong(rivals, certificate, history));
  }
  if (certificate.rule === 'sliding-log-attempts') return verifiesAttempts(certificate, history, terms);
  const admitted = surelyAdmitted(certificate, certificate.exchanges, history);
  if (admitted && isOfWindows(certificate)) {
    const { header, complete, attempts } = history;
    const isKnown = header.exclusive && complete && terms.flushed && terms.shortUs > 0;
    return isKnown && holdsOfWindows(certificate, admitted, attempts.rivalsOf(certificate), terms);
  }
  return admitted !== undefined && holdsOverAdmission(certificate, admitted, terms.shortUs, terms.slackUs);
}

/** Where the exchanges that a certificate names stand among its rivals. */
function listedAmong(rivals: Rivals, { exchanges }: Certificate, { attempts }: RawHistory): ReadonlySet<number> {
  const named = exchanges.flatMap((ref) => attempts.attempt(ref) ?? []);
  return new Set(named.map(({ index }) => rivals.indexOf(index)));
}

/** The one that began last was admitted although N of the others, admitted or refused, were surely made within W before. */
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
  return before.length >= max && before.length === found.length - 1 && found.length === certificate.exchanges.length;
}

interface Terms {
  readonly max: number;
  readonly windowUs: number;
  readonly shortUs: number;
  readonly longUs: number;
  readonly slackUs: number;
  readonly flushed: boolean;
  readonly ownSince: number;
  readonly slackAt: (t: number) => number;
}

/** The tolerances, from the header again: the certificate is not believed. */
function termsOf({ limit }: Certificate, { header, timeline }: RawHistory): Terms {
  const { driftPpm, granularityUs } = header.clock;
  const { max, windowUs } = header.limits.rate;
  const slack = granularityUs + timeline.stepUs;
  const share = driftPpm * 1e-6;
  const milliPerSecond = Math.floor((1e9 * max) / windowUs + 1e-9);
  const slowest = driftPpm === 0 && granularityUs === 0 ? windowUs : (1e9 * max) / milliPerSecond;
  return {
    max,
    windowUs,
    shortUs: windowUs - windowUs * share - slack,
    longUs: (Math.max(windowUs, slowest) + slack) / (1 - share),
    slackUs: slack,
    flushed: header.flushed[limit] === true,
    ownSince: ownSince(limit, header, timeline),
    slackAt: (t) => Math.abs(t) * share + slack,
  };
}

/** The decisions of the exchanges named, if each was surely admitted, counted and in scope, and none is named twice. */
function surelyAdmitted(
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

/** The refusal among its rivals, if it may be judged at all. */
function judgeableRefusal(
  wanted: ExchangeRef,
  certificate: Certificate,
  { header, complete, attempts }: RawHistory,
  terms: Terms,
  surely: boolean,
): { readonly refusal: Refused; readonly rivals: Rivals } | undefined {
  const found: RawAttempt | undefined = attempts.attempt(wanted);
  if (!found || !attempts.isInScope(found, certificate)) return undefined;
  const known = terms.flushed || found.decided.from >= terms.ownSince + 2 * terms.longUs;
  const byThisLimit = (found.flags & (surely ? Raw.surelyRate : Raw.mayBeRate)) !== 0;
  if (!header.exclusive || !complete || !known || !byThisLimit) return undefined;
  const rivals = attempts.rivalsOf(certificate);
  return { refusal: { ...found.decided, index: rivals.indexOf(found.index) }, rivals };
}

function verifiesArcs(certificate: Arcs, history: RawHistory, terms: Terms): boolean {
  const arcs = certificate.arcs.map((arc) => rawArc(arc, certificate, history, terms));
  const known = arcs.filter((arc) => arc !== undefined);
  // Beginnings of anchored windows are compared with one another only: nothing is carried back to time 0.
  const slackAt = certificate.rule === 'fixed-window-anchored-arcs' ? () => 0 : terms.slackAt;
  if (certificate.rule === 'sliding-counter-arcs' && !isOfOneCounter(certificate, known, history, terms)) return false;
  return known.length === arcs.length && holdsArcs(certificate, known, { ...terms, slackAt });
}

function isOfOneCounter(certificate: Arcs, arcs: readonly RawArc[], { attempts }: RawHistory, terms: Terms): boolean {
  const named = arcs.flatMap((arc) => ('decided' in arc ? arc.decided : 'refusal' in arc ? [arc.refusal] : []));
  return neverLeftAlone(named, attempts.rivalsOf(certificate), terms);
}

function rawArc(arc: Arc, certificate: Arcs, history: RawHistory, terms: Terms): RawArc | undefined {
  if (certificate.rule === 'sliding-counter-arcs') return rawCounterArc(arc, certificate, history, terms);
  if (arc.says === 'aligned') {
    const { originUs, phaseUncertaintyUs } = history.timeline;
    return { says: arc.says, at: -(originUs % terms.windowUs), plusMinusUs: phaseUncertaintyUs + terms.slackAt(0) };
  }
  if (arc.says === 'boundary-within') {
    const decided = surelyAdmitted(certificate, arc.exchanges, history);
    return decided && { says: arc.says, decided };
  }
  if (arc.says !== 'no-boundary-within') return undefined;
  const found = judgeableRefusal(arc.refusal, certificate, history, terms, true);
  return found && { says: arc.says, ...found };
}

/** Nothing else says where windows of a sliding counter begin. */
function rawCounterArc(arc: Arc, certificate: Arcs, history: RawHistory, terms: Terms): RawArc | undefined {
  const [from, to] = [arc.fromUs, arc.toUs];
  if (arc.says === 'overfull-with-boundary-within') {
    const decided = surelyAdmitted(certificate, arc.exchanges, history);
    return decided && { says: 'counter', from, to, decided };
  }
  if (arc.says !== 'no-boundary-within') return undefined;
  const found = judgeableRefusal(arc.refusal, certificate, history, terms, true);
  return found && { says: 'counter', from, to, ...found };
}
