import type { WrongfulRefusalRule } from '../../certificates/certificate.ts';
import type { Refused, Rivals } from '../raw/raw-rivals.ts';
import { fullestWindow, mostInAnyWindow } from './chain.ts';
import { countsItself, mostWithin, timesOf } from './times.ts';

export interface RuleTerms {
  readonly max: number;
  readonly windowUs: number;
  /** The shortest and the longest window that the service may apply. */
  readonly shortUs: number;
  readonly longUs: number;
  /** How much shorter a wait may look to the service. */
  readonly slackUs: number;
  /** For how long the service's clock may seem to have gone back. */
  readonly backUs: number;
  readonly wasSet: boolean;
  /** Whether nothing had been counted before the run. */
  readonly flushed: boolean;
  /** From then on everything decided is in the history; −∞ if nothing was counted before it. */
  readonly ownSince: number;
}

export interface RefusalRule {
  /** The most that may have counted against the refusal; ∞ if unknown. */
  readonly most: (refusal: Refused, rivals: Rivals, terms: RuleTerms) => number;
  /** How far back the service may look; everything that may have counted since then has to be listed. */
  readonly back: (refusal: Refused, rivals: Rivals, terms: RuleTerms) => LookBack;
  /**
   * How many windows back the list must reach at least; 0 if windows or buckets are followed from their start: then as far as
   * `back` says.
   */
  readonly windows: 0 | 1 | 2;
  readonly refusedToo?: true;
  /**
   * For how long a refusal may lead to others, because it blocks or counts: one window, or two. `until-admitted`: for exactly one
   * bucket, in which an admission shows that no block was left, unless the clock goes back.
   */
  readonly punishes?: 'window' | 'two-windows' | 'until-admitted';
}

export interface LookBack {
  readonly backUs: number;
  readonly sinceUs: number;
}

/** The most that may have counted within `backUs` before one instant; the count rises only when a request begins. */
function mostAtOneInstant(refusal: Refused, rivals: Rivals, backUs: number, refusedToo: boolean): number {
  const times = timesOf(rivals, refusedToo);
  const itself = countsItself(refusal, rivals, refusedToo) ? 1 : 0;
  return mostWithin(times, refusal, backUs) - itself;
}

const windowsBack =
  (windows: 1 | 2): RefusalRule['back'] =>
  ({ from }, _, { longUs }) => ({ backUs: windows * longUs, sinceUs: from - windows * longUs });

/** Where clocks differ, less than none of a window may have passed: then fewer than N of the window before weigh N. */
export const neededBy = ({ windows }: RefusalRule, { max, windowUs, slackUs }: RuleTerms): number =>
  windows === 2 ? Math.floor((max - 1) / (1 + slackUs / windowUs)) + 1 : max;

const lastWindow: RefusalRule = {
  most: (refusal, rivals, { longUs }) => mostAtOneInstant(refusal, rivals, longUs, false),
  back: windowsBack(1),
  windows: 1,
};

const lastTwoWindows: RefusalRule = {
  most: (refusal, rivals, { longUs }) => mostAtOneInstant(refusal, rivals, 2 * longUs, true),
  back: windowsBack(2),
  windows: 2,
  refusedToo: true,
};

const anchoredIn = (refusedToo: boolean): RefusalRule => ({
  most: (refusal, rivals, terms) =>
    terms.flushed && terms.shortUs > 0
      ? mostInAnyWindow(refusal, rivals, { ...terms, refusedToo })
      : Number.POSITIVE_INFINITY,
  back: (refusal, rivals, terms) => {
    const sinceUs = fullestWindow(refusal, rivals, { ...terms, refusedToo })?.from ?? refusal.from;
    return { backUs: Math.max(0, refusal.from - sinceUs), sinceUs };
  },
  windows: 0,
});

const bucket: RefusalRule = {
  most: (refusal, rivals, terms) => Math.ceil(mostSpent(refusal, rivals, terms) - HAIR),
  back: (refusal, rivals, terms) => {
    const sinceUs = lastFull(refusal, rivals, terms);
    return { backUs: refusal.from - sinceUs, sinceUs };
  },
  windows: 0,
};

/** Whether a token bucket must have had a token left. */
export const hadToken: (...about: Parameters<RefusalRule['most']>) => boolean = (refusal, rivals, terms) =>
  bucket.most(refusal, rivals, terms) < terms.max;

export const refusalRules: Readonly<Partial<Record<WrongfulRefusalRule, RefusalRule>>> = {
  'universal-refusal': { ...lastTwoWindows, punishes: 'window' },
  'wrongful-refusal-last-window': lastWindow,
  'wrongful-refusal-counting-refused': {
    ...lastWindow,
    most: (refusal, rivals, { longUs }) => mostAtOneInstant(refusal, rivals, longUs, true),
    refusedToo: true,
  },
  'wrongful-refusal-penalty': { ...lastWindow, punishes: 'window' },
  'wrongful-first-refusal': { ...lastWindow, punishes: 'window' },
  'wrongful-first-refusal-of-two-windows': {
    most: (refusal, rivals, { longUs }) => mostAtOneInstant(refusal, rivals, 2 * longUs, false),
    back: windowsBack(2),
    windows: 2,
    punishes: 'two-windows',
  },
  'wrongful-refusal-anchored': anchoredIn(false),
  'wrongful-refusal-anchored-penalty': { ...anchoredIn(true), punishes: 'until-admitted', refusedToo: true },
  // Some count what they refuse, and round weights: at most everything in two windows.
  'wrongful-refusal-sliding-counter': lastTwoWindows,
  'wrongful-refusal-token-bucket': bucket,
  // Tokens that come at ticks: never fewer than the whole tokens that come evenly meanwhile.
  'wrongful-refusal-interval-refill': bucket,
};

/** Tokens come back slightly later than the quotient says: two ways to divide must not lead to two verdicts. */
const HAIR = 1e-9;

/**
 * The most tokens that can have been missing when the refusal was decided: everything that may have counted is spent as late as
 * possible, tokens come back as slowly as possible; none is missing if none was spent since the bucket was certainly full. If its
 * clock may go back by the granularity, from node to node, as much more time has to pass, or less than none may seem to have; if it
 * was set back, anything spent since then may have left it empty.
 */
function mostSpent(refusal: Refused, rivals: Rivals, terms: RuleTerms): number {
  const { max, windowUs, longUs, slackUs, backUs, wasSet, flushed, ownSince } = terms;
  const before = new Float64Array(rivals.size);
  let [ended, present] = [0, 0];
  for (let i = 0; i < rivals.size; i++) {
    if (rivals.refused[i] !== 0 || i === refusal.index) continue;
    const to = rivals.to[i] as number;
    if (to < refusal.from) before[ended++] = to;
    else if ((rivals.from[i] as number) <= refusal.to) present += 1;
  }
  const past = before.subarray(0, ended).sort();
  const perMicro = max / longUs;
  const unseen = slackUs * perMicro;
  let spent = flushed ? 0 : max;
  let sinceFull = flushed ? 0 : Number.POSITIVE_INFINITY;
  let at = ownSince;
  const wait = (until: number) => {
    const back = Number.isFinite(at) ? Math.max(0, (until - at) * perMicro - HAIR) : 0;
    if (spent + unseen <= back) sinceFull = 0;
    spent = Math.max(0, spent - back);
    at = Math.max(at, until);
  };
  for (const to of past) {
    wait(to);
    spent = Math.min(max, spent + 1);
    sinceFull += 1;
  }
  const isAtOnce = present > 0 || refusal.from - at < backUs;
  wait(refusal.from);
  if (sinceFull + present === 0) return 0;
  return (wasSet ? max : spent + (isAtOnce ? (slackUs * max) / windowUs : unseen)) + present;
}

/** The end of the last pause in which even an empty bucket filled up: what was spent before does not matter; −∞ if there was none. */
function lastFull(refusal: Refused, rivals: Rivals, { longUs }: RuleTerms): number {
  const ends = rivals.to.filter((to, i) => to < refusal.from && rivals.refused[i] === 0).sort();
  let later = refusal.from;
  for (let i = ends.length - 1; i >= 0; i--) {
    const end = ends[i] as number;
    if (later - end >= longUs) return later;
    later = end;
  }
  return Number.NEGATIVE_INFINITY;
}
