import { rememberedOf } from '../../../base/index.ts';
import type { Certificate, OverAdmission } from '../../certificates/certificate.ts';
import { greatest, least } from '../raw/extremes.ts';
import type { Decided } from '../raw/raw.ts';
import type { Refused, Rivals } from '../raw/raw-rivals.ts';
import { countBelow, countUpTo } from '../raw/rising.ts';
import { lastFitsNowhere } from './fit.ts';
import { countsItself, timesOf } from './times.ts';

export interface ChainTerms {
  readonly max: number;
  /** The shortest and the longest window that the service may apply. */
  readonly shortUs: number;
  readonly longUs: number;
  /** Refused requests may have begun a window and counted in it: so it is with services that check a block after counting. */
  readonly refusedToo?: boolean;
}

/** A window that begins with a request: the range in which it began. */
interface Window {
  readonly from: number;
  readonly to: number;
}

/** Every window in succession; the first of all requests began the first. */
function followedWindows(rivals: Rivals, { shortUs, longUs, refusedToo = false }: ChainTerms): Window[] {
  const counted = [...rivals.from.keys()].filter((i) => refusedToo || rivals.refused[i] === 0);
  counted.sort((a, b) => (rivals.from[a] as number) - (rivals.from[b] as number));
  const sure = counted.filter((i) => rivals.admitted[i] === 1);
  const windows: Window[] = [];
  // Each cursor points to the first request that began too late for the windows so far.
  let [next, surest, reach] = [0, 0, Number.NEGATIVE_INFINITY];
  const earliestFrom = (x: number) => {
    for (; next < counted.length && (rivals.from[counted[next] as number] as number) <= x; next++)
      reach = Math.max(reach, rivals.to[counted[next] as number] as number);
    if (reach >= x) return x;
    return next < counted.length ? (rivals.from[counted[next] as number] as number) : Number.POSITIVE_INFINITY;
  };
  const latestFrom = (x: number) => {
    while (surest < sure.length && (rivals.from[sure[surest] as number] as number) < x) surest += 1;
    return endsFrom[surest] as number;
  };
  const endsFrom = new Float64Array(sure.length + 1).fill(Number.POSITIVE_INFINITY);
  for (let i = sure.length - 1; i >= 0; i--)
    endsFrom[i] = Math.min(rivals.to[sure[i] as number] as number, endsFrom[i + 1] as number);
  let from = counted.length === 0 ? Number.POSITIVE_INFINITY : (rivals.from[counted[0] as number] as number);
  let to = endsFrom[0] as number;
  if (!Number.isFinite(from)) return [];
  while (Number.isFinite(from)) {
    windows.push({ from, to });
    from = earliestFrom(from + shortUs);
    to = latestFrom(to + longUs);
  }
  return windows;
}

/** A proof about refusals of one burst asks each of them in which window it was. */
const knownWindows = rememberedOf((_: Rivals) => new Map<string, Window[]>());

function windowsOf(rivals: Rivals, terms: ChainTerms): Window[] {
  const { shortUs, longUs, refusedToo = false } = terms;
  const key = `${shortUs} ${longUs} ${refusedToo}`;
  const windows = knownWindows(rivals).get(key) ?? followedWindows(rivals, terms);
  knownWindows(rivals).set(key, windows);
  return windows;
}

/** A window in which a refusal may have been decided: from when on it may have counted, and what. */
interface Filled {
  readonly from: number;
  readonly count: number;
}

/** Of the windows in which the refusal may have been decided, the one in which most can have counted; the first if several are equal. */
export function fullestWindow(refusal: Refused, rivals: Rivals, terms: ChainTerms): Filled | undefined {
  const windows = windowsOf(rivals, terms);
  let fullest: Filled | undefined;
  for (const [k, { from, to }] of windows.entries()) {
    const followed = (windows[k + 1]?.to ?? Number.POSITIVE_INFINITY) <= refusal.from;
    if (from > refusal.to || followed || to + terms.longUs < refusal.from) continue;
    const count = countSince(from, refusal, rivals, terms);
    if (!fullest || count > fullest.count) fullest = { from, count };
  }
  return fullest;
}

/** The most that can have counted in the window in which the refusal was decided; ∞ if the first window is unknown. */
export function mostInAnyWindow(refusal: Refused, rivals: Rivals, terms: ChainTerms): number {
  if (rivals.from.some((from) => from === Number.NEGATIVE_INFINITY) && windowsOf(rivals, terms).length === 0)
    return Number.POSITIVE_INFINITY;
  return fullestWindow(refusal, rivals, terms)?.count ?? 0;
}

/** What had begun by the refusal, less what was over when the window began: that had begun, too. */
function countSince(since: number, refusal: Refused, rivals: Rivals, { refusedToo = false }: ChainTerms): number {
  const { begins, ends } = timesOf(rivals, refusedToo);
  const itself = countsItself(refusal, rivals, refusedToo) ? 1 : 0;
  return countUpTo(begins, refusal.to) - countBelow(ends, since) - itself;
}

type Rule = (decided: readonly Decided[], rivals: Rivals, terms: ChainTerms) => boolean;

/** Whether some window certainly contains all of these, and they are more than N. */
const sharesAWindow: Rule = (decided, rivals, terms) => {
  if (decided.length <= terms.max) return false;
  const first = least(decided.map(({ from }) => from));
  const last = greatest(decided.map(({ to }) => to));
  const windows = windowsOf(rivals, terms);
  return windows.some(({ from, to }, k) => {
    const before = windows[k - 1];
    // No window exists before the first, and nothing is admitted between two. Their length may be infinite: −∞ + ∞ would be no number.
    const since = before === undefined ? Number.NEGATIVE_INFINITY : Math.min(to, before.to + terms.longUs);
    return since <= first && last < from + terms.shortUs;
  });
};

/** Whether by some instant more were admitted than the windows can hold that may have begun by then. */
const areTooManyBy: Rule = (decided, rivals, terms) => decided.length > mostBy(decided, rivals, terms);

/** ∞ if the beginning of the first window is unknown. */
function mostBy(decided: readonly Decided[], rivals: Rivals, { max, shortUs }: ChainTerms): number {
  const first = rivals.from.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const passed = greatest(decided.map(({ to }) => to)) - first;
  return Number.isFinite(passed) ? max * (Math.floor(passed / shortUs) + 1) : Number.POSITIVE_INFINITY;
}

/** The rules about windows that begin with a request. */
const rules: Readonly<Partial<Record<Certificate['rule'], Rule>>> = {
  'fixed-window-anchored-since': areTooManyBy,
  'fixed-window-anchored-chain': sharesAWindow,
  'fixed-window-anchored-fit': lastFitsNowhere,
};

export const isOfWindows = ({ rule }: Pick<Certificate, 'rule'>): boolean => rules[rule] !== undefined;

/** The most that can have been admitted, as such a certificate has to print it. */
export const mostInWindows = (
  { rule }: OverAdmission,
  decided: readonly Decided[],
  rivals: Rivals,
  terms: ChainTerms,
): number => {
  if (rule === 'fixed-window-anchored-fit') return decided.length - 1;
  return rule === 'fixed-window-anchored-since' ? mostBy(decided, rivals, terms) : terms.max;
};

/** Whether such a certificate holds. Requires a bucket that is completely known, which a bucket of the narrowest scope is not. */
export function holdsOfWindows(
  { scope, observed, rule, reading }: OverAdmission,
  decided: readonly Decided[],
  rivals: Rivals,
  terms: ChainTerms,
): boolean {
  const isNarrowest = scope.conversation !== undefined && scope.operation !== undefined;
  if (isNarrowest || decided.length !== observed) return false;
  return rules[rule]?.(decided, rivals, { ...terms, refusedToo: reading === 'fixed-window-penalty' }) === true;
}
