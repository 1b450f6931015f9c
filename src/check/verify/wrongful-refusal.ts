import type { WrongfulRefusal, WrongfulRefusalRule } from '../certificate.ts';
import { refusedByNoWindow } from './chain.ts';
import type { Decided } from './raw.ts';
import type { Rivals } from './raw-rivals.ts';

export interface RefusalTerms {
  readonly max: number;
  /** The window as short and as long as the service may make it. */
  readonly shortUs: number;
  readonly longUs: number;
  /** By how much a wait may look shorter to the service. */
  readonly slackUs: number;
  /** Nothing was counted before the run. */
  readonly flushed: boolean;
}

/** The refusal: when it was decided, and where it stands among the rivals. */
export interface Refused extends Decided {
  readonly index: number;
}

type Rule = (refusal: Refused, rivals: Rivals, terms: RefusalTerms) => boolean;

/** Indices of rivals, without the refusal itself, that may have been decided from `since` until the refusal was. */
function* near(refusal: Refused, rivals: Rivals, since: number): Generator<number> {
  for (let i = 0; i < rivals.size; i++)
    if ((rivals.from[i] as number) <= refusal.to && (rivals.to[i] as number) >= since && i !== refusal.index) yield i;
}

/** The most that may have counted within `backUs` at one instant; counts rise only when a request begins. */
function mostAtOneInstant(refusal: Refused, rivals: Rivals, backUs: number, refusedToo: boolean): number {
  const counted = [...near(refusal, rivals, refusal.from - backUs)].filter(
    (i) => refusedToo || rivals.refused[i] === 0,
  );
  const from = counted.map((i) => rivals.from[i] as number);
  const to = counted.map((i) => rivals.to[i] as number);
  const countAt = (t: number) =>
    from.reduce((count, begin, k) => (begin <= t && (to[k] as number) >= t - backUs ? count + 1 : count), 0);
  const instants = [refusal.from, ...from.filter((begin) => begin > refusal.from)];
  return Math.max(...instants.map(countAt));
}

/** Whether anything but an admission lies in the last W: it may have been a refusal, which blocks. */
const mayBePunished = (refusal: Refused, rivals: Rivals, longUs: number): boolean =>
  [...near(refusal, rivals, refusal.from - longUs)].some((i) => rivals.admitted[i] !== 1);

/** Every rule says that the refusal cannot be explained. */
const wrongful: Readonly<Partial<Record<WrongfulRefusalRule, Rule>>> = {
  // Two less than N: a bucket may owe a token, and its clock tick coarsely; but none refuses when nothing counts.
  'universal-refusal': (refusal, rivals, { max, longUs }) =>
    mostAtOneInstant(refusal, rivals, 2 * longUs, true) < Math.max(1, max - 2) &&
    !mayBePunished(refusal, rivals, longUs),
  'wrongful-refusal-last-window': (refusal, rivals, { max, longUs }) =>
    mostAtOneInstant(refusal, rivals, longUs, false) < max,
  'wrongful-refusal-counting-refused': (refusal, rivals, { max, longUs }) =>
    mostAtOneInstant(refusal, rivals, longUs, true) < max,
  'wrongful-refusal-penalty': (refusal, rivals, { max, longUs }) =>
    mostAtOneInstant(refusal, rivals, longUs, false) < max && !mayBePunished(refusal, rivals, longUs),
  'wrongful-refusal-anchored': (refusal, rivals, terms) =>
    terms.flushed && terms.shortUs > 0 && refusedByNoWindow(refusal, rivals, terms),
  'wrongful-refusal-anchored-penalty': (refusal, rivals, terms) =>
    terms.flushed &&
    terms.shortUs > 0 &&
    refusedByNoWindow(refusal, rivals, terms) &&
    !mayBePunished(refusal, rivals, terms.longUs),
  // One less than N: variants of the comparison differ by one (limits.md 5.4), and some count what they refuse; but none refuses
  // when nothing counts.
  'wrongful-refusal-sliding-counter': (refusal, rivals, { max, longUs }) =>
    mostAtOneInstant(refusal, rivals, 2 * longUs, true) < Math.max(1, max - 1),
  'wrongful-refusal-token-bucket': (refusal, rivals, terms) => mostSpent(refusal, rivals, terms, 0) <= terms.max - 1,
  // Tokens come at ticks, so up to one may still be owed.
  'wrongful-refusal-interval-refill': (refusal, rivals, terms) =>
    mostSpent(refusal, rivals, terms, 1) + 1 <= terms.max - 1,
};

/** Of two ways to divide, neither may turn a verdict. */
const HAIR = 1e-6;

/**
 * The most tokens that can have been missing when the refusal was decided: everything that may have counted is spent as late as
 * can be, tokens come back as slowly as can be, and never more than all (`max + owed`) are missing.
 */
function mostSpent(refusal: Refused, rivals: Rivals, terms: RefusalTerms, owed: number): number {
  const { max, longUs, slackUs, flushed } = terms;
  const before = new Float64Array(rivals.size);
  let [ended, present] = [0, 0];
  for (let i = 0; i < rivals.size; i++) {
    if (rivals.refused[i] !== 0 || i === refusal.index) continue;
    const to = rivals.to[i] as number;
    if (to < refusal.from) before[ended++] = to;
    else if ((rivals.from[i] as number) <= refusal.to) present += 1;
  }
  const past = before.subarray(0, ended).sort();
  let spent = flushed ? 0 : max + owed;
  let at = flushed ? Number.NEGATIVE_INFINITY : 0;
  const wait = (until: number) => {
    if (Number.isFinite(at) && until > at) spent = Math.max(0, spent - ((until - at) * max) / longUs);
    at = Math.max(at, until);
  };
  for (const to of past) {
    wait(to);
    spent = Math.min(max + owed, spent + 1);
  }
  wait(refusal.from);
  return spent + present + (slackUs * max) / longUs - HAIR;
}

/** Whether a certificate of a wrongful refusal holds against everything that may have counted. */
export function holdsWrongfulRefusal(
  certificate: WrongfulRefusal,
  refusal: Refused,
  rivals: Rivals,
  terms: RefusalTerms,
): boolean {
  const rule = wrongful[certificate.rule];
  return rule !== undefined && Number.isFinite(refusal.from) && rule(refusal, rivals, terms);
}
