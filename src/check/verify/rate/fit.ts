import { greatest } from '../raw/extremes.ts';
import type { Decided } from '../raw/raw.ts';
import type { Rivals } from '../raw/raw-rivals.ts';

interface Terms {
  readonly max: number;
  /** The shortest and the longest window that the service may apply. */
  readonly shortUs: number;
  readonly longUs: number;
}

/** A window that may have begun: when at the earliest and at the latest, and with which of the requests. */
interface Begun {
  readonly since: number;
  readonly by: number;
  readonly nth: number;
}

/**
 * Whether the last of these fits into no window, wherever those that the others began lie; the first certainly began one, because
 * all that may have counted before it was over for a window by then. Those before the last one fit.
 */
export function lastFitsNowhere(named: readonly Decided[], rivals: Rivals, terms: Terms): boolean {
  const decided = named.toSorted((a, b) => a.from - b.from || a.to - b.to);
  return areAllThatCount(decided, rivals, terms) && firstUnfit(decided, terms) === decided.length - 1;
}

/** Whether nothing else may have been counted in these windows, up to the last of them. */
function areAllThatCount(decided: readonly Decided[], rivals: Rivals, { longUs }: Terms): boolean {
  const [first, last] = [decided[0], decided.at(-1)];
  // Later ones are not named, and none of them may have been the first.
  if (!first || !last || first.to >= last.from) return false;
  const latest = greatest(decided.map(({ to }) => to));
  let earlier = 0;
  for (let i = 0; i < rivals.size; i++) {
    const [from, to] = [rivals.from[i] as number, rivals.to[i] as number];
    if (rivals.refused[i] === 1 || from > latest || to < first.from - longUs) continue;
    if (rivals.admitted[i] !== 1) return false;
    // Of requests with the same fate, those sent earlier may be taken for those admitted earlier.
    if (from < last.from) earlier += 1;
  }
  return earlier === decided.filter(({ from }) => from < last.from).length;
}

/** Position of the first that fits into no window; −1 if all fit. Follows every way in which windows can have begun. */
function firstUnfit(decided: readonly Decided[], { max, shortUs, longUs }: Terms): number {
  // Each began no earlier than the one before in this list, holds fewer, and is over no earlier: so the oldest leave first.
  const begun: Begun[] = [];
  let [oldest, by] = [0, Number.NEGATIVE_INFINITY];
  for (const [i, { from, to }] of decided.entries()) {
    // If one contains another, it may have been decided last: only later ends are needed for that.
    by = Math.max(by, to);
    const open = begun[oldest];
    const since = open ? Math.max(from, open.since + shortUs) : from;
    if (since <= by) begun.push({ since, by, nth: i });
    const isOver = (window: Begun) => i - window.nth >= max || window.by < from - longUs;
    while (oldest < begun.length && isOver(begun[oldest] as Begun)) oldest += 1;
    if (oldest === begun.length) return i;
  }
  return -1;
}
