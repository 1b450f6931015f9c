import type { WrongfulRefusal } from '../../certificates/certificate.ts';
import { near, nearAny, type Refused, type Rivals } from '../raw/raw-rivals.ts';
import { countBelow } from '../raw/rising.ts';
import { hadToken, neededBy, type RefusalRule, type RuleTerms, refusalRules } from './refusal-rules.ts';

/** What is checked against the history. */
interface Claim {
  readonly certificate: WrongfulRefusal;
  readonly rule: RefusalRule;
  readonly rivals: Rivals;
  readonly terms: RuleTerms;
  /** Indices of the rivals that the certificate names, the refusal's among them. */
  readonly listed: ReadonlySet<number>;
}

/** Before an instant: the latest begin of those that were certainly admitted, so long before that no clock went back since. */
function lastAdmissionBefore(rivals: Rivals, backUs: number): (instant: number) => number {
  const admitted = [...rivals.admitted.keys()].filter((i) => rivals.admitted[i] === 1);
  admitted.sort((a, b) => (rivals.to[a] as number) - (rivals.to[b] as number));
  const latest: number[] = [];
  for (const i of admitted) latest.push(Math.max(latest.at(-1) ?? Number.NEGATIVE_INFINITY, rivals.from[i] as number));
  const ends = Float64Array.from(admitted, (i) => rivals.to[i] as number);
  return (instant) => latest[countBelow(ends, instant - backUs) - 1] ?? Number.NEGATIVE_INFINITY;
}

/**
 * Everything that may have been refused within W or 2W (as `punishes` says) before the refusal, or before one of these, and so on.
 * Anything but a certain admission may have been refused.
 */
function mayHaveBlocked(
  refusal: Refused,
  rivals: Rivals,
  { longUs, backUs }: Pick<RuleTerms, 'longUs' | 'backUs'>,
  punishes: RefusalRule['punishes'],
): Refused[] {
  const endsAt = punishes === 'until-admitted' ? lastAdmissionBefore(rivals, backUs) : () => Number.NEGATIVE_INFINITY;
  const reachUs = punishes === 'two-windows' ? 2 * longUs : longUs;
  const others = [...near(refusal, rivals, Number.NEGATIVE_INFINITY)].filter((i) => rivals.admitted[i] !== 1);
  others.sort((a, b) => (rivals.to[b] as number) - (rivals.to[a] as number));
  let first = refusal.from;
  const found: Refused[] = [];
  for (const index of others) {
    if ((rivals.to[index] as number) < Math.max(first - reachUs, endsAt(first))) break;
    const from = rivals.from[index] as number;
    first = Math.min(first, from);
    // A block that came after the refusal had no effect on it.
    found.push({ index, from, to: Math.min(rivals.to[index] as number, refusal.to) });
  }
  return found;
}

/** Whether one of those that may have blocked the refusal cannot have been refused because of what had counted by then. */
function isWithoutCause(other: Refused, { certificate, rule, rivals, terms, listed }: Claim): boolean {
  const isKnown = terms.flushed || other.from >= terms.ownSince + 2 * terms.longUs;
  const isListed = listed.has(other.index) || !Number.isFinite(other.from);
  return isKnown && isListed && rule.most(other, rivals, terms) <= certificate.observed;
}

/** Tolerance for values with fractions of a µs that are divided in two ways. */
const HAIR_US = 1;

/**
 * Whether a certificate of a wrongful refusal holds against everything that may have counted, prints the numbers it rests on, and
 * lists all of it.
 * @param listed indices of the rivals that it names
 */
export function holdsWrongfulRefusal(
  certificate: WrongfulRefusal,
  refusal: Refused,
  rivals: Rivals,
  terms: RuleTerms,
  listed: ReadonlySet<number>,
): boolean {
  const rule = refusalRules[certificate.rule];
  if (rule === undefined || !Number.isFinite(refusal.from)) return false;
  const claim = { certificate, rule, rivals, terms, listed: new Set(listed).add(refusal.index) };
  if (certificate.needed !== neededBy(rule, terms) || certificate.observed >= certificate.needed) return false;
  if (rule.most(refusal, rivals, terms) > certificate.observed) return false;
  // Few in two windows are no proof against a bucket whose clock goes back.
  if (certificate.reading === 'every' && !hadToken(refusal, rivals, terms)) return false;
  const others = rule.punishes ? mayHaveBlocked(refusal, rivals, terms, rule.punishes) : [];
  return others.every((other) => isWithoutCause(other, claim)) && areComplete([refusal, ...others], claim);
}

/** Whether everything that may have counted in their look-backs is listed. Doubtful records may lie at any time. */
function areComplete(refusals: readonly Refused[], { certificate, rule, rivals, terms, listed }: Claim): boolean {
  const { lookBackUs } = certificate;
  if (lookBackUs < rule.windows * terms.longUs - HAIR_US) return false;
  const counts = (i: number) => Number.isFinite(rivals.from[i]) && (rule.refusedToo || rivals.refused[i] === 0);
  const looks = refusals.map(({ from, to }) => ({ from, to, since: from - lookBackUs + HAIR_US }));
  for (const i of nearAny(looks, rivals)) if (counts(i) && !listed.has(i)) return false;
  return true;
}

/** The computed members of a certificate of a wrongful refusal. */
export type CountedRefusal = Pick<WrongfulRefusal, 'observed' | 'needed' | 'lookBackUs'> & {
  /** Indices of the rivals that have to be listed. */
  readonly listed: ReadonlySet<number>;
};

/** What a certificate of the rule has to print about a refusal: itself, and everything that may have blocked it. */
export function countedRefusal(
  name: WrongfulRefusal['rule'],
  refusal: Refused,
  rivals: Rivals,
  terms: RuleTerms,
): CountedRefusal | undefined {
  const rule = refusalRules[name];
  if (rule === undefined) return undefined;
  const others = rule.punishes ? mayHaveBlocked(refusal, rivals, terms, rule.punishes) : [];
  const listed = new Set(others.map(({ index }) => index));
  let [observed, lookBackUs] = [0, Number.POSITIVE_INFINITY];
  const looks = [refusal, ...others.map(({ index }) => wholly(index, rivals))].map((one) => {
    const { backUs, sinceUs: since } = rule.back(one, rivals, terms);
    observed = Math.max(observed, rule.most(one, rivals, terms));
    lookBackUs = Math.min(lookBackUs, backUs);
    return { ...one, since };
  });
  for (const i of nearAny(looks, rivals)) if (rule.refusedToo || rivals.refused[i] === 0) listed.add(i);
  listed.delete(refusal.index);
  return { observed, needed: neededBy(rule, terms), lookBackUs, listed };
}

const wholly = (index: number, { from, to }: Rivals): Refused => ({
  index,
  from: from[index] as number,
  to: to[index] as number,
});
