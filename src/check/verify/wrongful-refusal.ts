import type { WrongfulRefusal, WrongfulRefusalRule } from '../certificate.ts';
import { mostInAnyWindow } from './chain.ts';
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
  /** From then on nothing is decided but what the history has; −∞ where nothing was counted before it. */
  readonly ownSince: number;
}

/** The refusal: when it was decided, and where it stands among the rivals. */
export interface Refused extends Decided {
  readonly index: number;
}

interface Rule {
  /** The most that may have counted against the refusal; ∞ where nobody knows. */
  readonly most: (refusal: Refused, rivals: Rivals, terms: RefusalTerms) => number;
  /** Fewer than this cannot cause a refusal. */
  readonly needed: (max: number) => number;
  /** How many windows back the list must reach at least; where windows or buckets are followed from their start, as far as it says. */
  readonly windows: 0 | 1 | 2;
  readonly refusedToo?: true;
  /** A refusal may block for a window; `until-admitted`: of exactly one bucket, in which an admission shows that no block was left. */
  readonly punishes?: 'window' | 'until-admitted';
}

/** What is held against the history. */
interface Claim {
  readonly certificate: WrongfulRefusal;
  readonly rule: Rule;
  readonly rivals: Rivals;
  readonly terms: RefusalTerms;
  /** Indices of the rivals that the certificate names. */
  readonly listed: ReadonlySet<number>;
}

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

/** When the last of those began that were surely admitted before an instant. */
function lastAdmissionBefore(rivals: Rivals): (instant: number) => number {
  const admitted = [...rivals.admitted.keys()].filter((i) => rivals.admitted[i] === 1);
  admitted.sort((a, b) => (rivals.to[a] as number) - (rivals.to[b] as number));
  const latest: number[] = [];
  for (const i of admitted) latest.push(Math.max(latest.at(-1) ?? Number.NEGATIVE_INFINITY, rivals.from[i] as number));
  return (instant) => {
    let [low, high] = [0, admitted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((rivals.to[admitted[middle] as number] as number) < instant) low = middle + 1;
      else high = middle;
    }
    return latest[low - 1] ?? Number.NEGATIVE_INFINITY;
  };
}

/** What may have been refused within W before the refusal was, or before one of these: anything but an admission may. */
function mayHaveBlocked(refusal: Refused, rivals: Rivals, longUs: number, punishes: Rule['punishes']): Refused[] {
  const endsAt = punishes === 'until-admitted' ? lastAdmissionBefore(rivals) : () => Number.NEGATIVE_INFINITY;
  const others = [...near(refusal, rivals, Number.NEGATIVE_INFINITY)].filter((i) => rivals.admitted[i] !== 1);
  others.sort((a, b) => (rivals.to[b] as number) - (rivals.to[a] as number));
  let first = refusal.from;
  const found: Refused[] = [];
  for (const index of others) {
    if ((rivals.to[index] as number) < Math.max(first - longUs, endsAt(first))) break;
    const from = rivals.from[index] as number;
    first = Math.min(first, from);
    // Later than the refusal it was of no effect.
    found.push({ index, from, to: Math.min(rivals.to[index] as number, refusal.to) });
  }
  return found;
}

/** Whether none of those that may have blocked the refusal can have been refused for what had counted by then. */
function isUnblocked(refusal: Refused, claim: Claim): boolean {
  const { certificate, rule, rivals, terms, listed } = claim;
  const withItself = { ...claim, listed: new Set(listed).add(refusal.index) };
  return mayHaveBlocked(refusal, rivals, terms.longUs, rule.punishes).every((other) => {
    const isKnown = terms.flushed || other.from >= terms.ownSince + 2 * terms.longUs;
    const isListed = listed.has(other.index) || !Number.isFinite(other.from);
    const few = isKnown && isListed && rule.most(other, rivals, terms) <= certificate.observed;
    return few && isComplete(other, withItself);
  });
}

const all = (max: number): number => max;

const lastWindow: Rule = {
  most: (refusal, rivals, { longUs }) => mostAtOneInstant(refusal, rivals, longUs, false),
  needed: all,
  windows: 1,
};

const lastTwoWindows: Rule = {
  most: (refusal, rivals, { longUs }) => mostAtOneInstant(refusal, rivals, 2 * longUs, true),
  needed: all,
  windows: 2,
  refusedToo: true,
};

const anchoredIn = (refusedToo: boolean): Rule => ({
  most: (refusal, rivals, terms) =>
    terms.flushed && terms.shortUs > 0
      ? mostInAnyWindow(refusal, rivals, { ...terms, refusedToo })
      : Number.POSITIVE_INFINITY,
  needed: all,
  windows: 0,
});

const wrongful: Readonly<Partial<Record<WrongfulRefusalRule, Rule>>> = {
  'universal-refusal': { ...lastTwoWindows, punishes: 'window' },
  'wrongful-refusal-last-window': lastWindow,
  'wrongful-refusal-counting-refused': {
    most: (refusal, rivals, { longUs }) => mostAtOneInstant(refusal, rivals, longUs, true),
    needed: all,
    windows: 1,
    refusedToo: true,
  },
  'wrongful-refusal-penalty': { ...lastWindow, punishes: 'window' },
  'wrongful-refusal-anchored': anchoredIn(false),
  'wrongful-refusal-anchored-penalty': { ...anchoredIn(true), punishes: 'until-admitted', refusedToo: true },
  // Some count what they refuse, and round what they weigh: no more than all of two windows.
  'wrongful-refusal-sliding-counter': lastTwoWindows,
  'wrongful-refusal-token-bucket': {
    most: (refusal, rivals, terms) => Math.ceil(mostSpent(refusal, rivals, terms, 0)),
    needed: all,
    windows: 0,
  },
  // Tokens come at ticks, so up to one may still be owed.
  'wrongful-refusal-interval-refill': {
    most: (refusal, rivals, terms) => Math.ceil(mostSpent(refusal, rivals, terms, 1)),
    needed: all,
    windows: 0,
  },
};

/** Of two ways to divide, neither may turn a verdict. */
const HAIR = 1e-6;

/**
 * The most tokens that can have been missing when the refusal was decided: everything that may have counted is spent as late as
 * can be, tokens come back as slowly as can be, and never more than all (`max + owed`) are missing, nor more than were spent since
 * the bucket was full for sure.
 */
function mostSpent(refusal: Refused, rivals: Rivals, terms: RefusalTerms, owed: number): number {
  const { max, longUs, slackUs, flushed, ownSince } = terms;
  const before = new Float64Array(rivals.size);
  let [ended, present] = [0, 0];
  for (let i = 0; i < rivals.size; i++) {
    if (rivals.refused[i] !== 0 || i === refusal.index) continue;
    const to = rivals.to[i] as number;
    if (to < refusal.from) before[ended++] = to;
    else if ((rivals.from[i] as number) <= refusal.to) present += 1;
  }
  const past = before.subarray(0, ended).sort();
  const unseen = (slackUs * max) / longUs + owed;
  let spent = flushed ? 0 : max + owed;
  let sinceFull = flushed ? 0 : Number.POSITIVE_INFINITY;
  let at = ownSince;
  const wait = (until: number) => {
    const back = Number.isFinite(at) && until > at ? ((until - at) * max) / longUs : 0;
    if (spent + unseen <= back) sinceFull = 0;
    spent = Math.max(0, spent - back);
    at = Math.max(at, until);
  };
  for (const to of past) {
    wait(to);
    spent = Math.min(max + owed, spent + 1);
    sinceFull += 1;
  }
  wait(refusal.from);
  return Math.min(spent + unseen - HAIR, sinceFull) + present;
}

/** Of what is told in fractions of a µs, and divided in two ways. */
const HAIR_US = 1;

/**
 * Whether a certificate of a wrongful refusal holds against everything that may have counted, prints what it rests on, and names all
 * of it.
 * @param listed indices of the rivals that it names
 */
export function holdsWrongfulRefusal(
  certificate: WrongfulRefusal,
  refusal: Refused,
  rivals: Rivals,
  terms: RefusalTerms,
  listed: ReadonlySet<number>,
): boolean {
  const rule = wrongful[certificate.rule];
  if (rule === undefined || !Number.isFinite(refusal.from)) return false;
  const claim = { certificate, rule, rivals, terms, listed };
  const needed = rule.needed(terms.max);
  if (certificate.needed !== needed || certificate.observed >= needed) return false;
  if (rule.most(refusal, rivals, terms) > certificate.observed) return false;
  if (rule.punishes && !isUnblocked(refusal, claim)) return false;
  return isComplete(refusal, claim);
}

/** Whether everything is named that may have counted in its look-back. Of what is doubtful nobody knows when it was. */
function isComplete(refusal: Refused, { certificate, rule, rivals, terms, listed }: Claim): boolean {
  const { lookBackUs } = certificate;
  if (lookBackUs < rule.windows * terms.longUs - HAIR_US) return false;
  const counts = (i: number) => Number.isFinite(rivals.from[i]) && (rule.refusedToo || rivals.refused[i] === 0);
  for (const i of near(refusal, rivals, refusal.from - lookBackUs + HAIR_US))
    if (counts(i) && !listed.has(i)) return false;
  return true;
}
