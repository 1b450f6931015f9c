import type { Bounds } from '../evidence/bounds.ts';
import type { Admitted } from './admitted.ts';
import { OVERLAP_US, type Saying, slackAt } from './arcs.ts';
import { countBelow } from './counted.ts';

/**
 * Admitted attempts of two windows, as index ranges with both ends included: those of the previous window that certainly weigh
 * in, and those of the current one up to the last that is examined. A range is empty if its first index exceeds its last.
 */
interface Weighed {
  readonly before: readonly [first: number, last: number];
  readonly within: readonly [first: number, last: number];
}

/** Where no boundary can lie, because of what was admitted around it. */
interface Found extends Weighed {
  readonly from: number;
  readonly to: number;
}

/** Of at most this many windows that rule out a phase, the one that rules out most is used. */
const MOST_COMPARED = 64;
/** An excess below this may be due to rounding. */
const HAIR = 1e-6;
const NONE = [0, -1] as const;

/**
 * Why no window begins at `phase`, carried back to time 0: in some window more was admitted than any variant of the counter
 * allows. The last admitted request found the others there, plus the share of the previous window that still weighed at its
 * latest possible end; with a tolerance of one for the variants of the comparison that makes N + 2 (limits.md 5.4).
 * @param admitted no interval contains another
 * @returns what rules out the widest arc around it; `undefined` if nothing does
 */
export function overfullAt(admitted: Admitted, bounds: Bounds, phase: number): Saying | undefined {
  let best: Found | undefined;
  let compared = 0;
  for (let index = 0; index < admitted.size && compared < MOST_COMPARED; ) {
    const boundary = lastBoundary(admitted.from[index] as number, phase, bounds.windowUs);
    const found = overfullFrom(admitted, bounds, boundary);
    if (found) compared += 1;
    if (found && (!best || found.to - found.from > best.to - best.from)) best = found;
    index = Math.max(index + 1, countBelow(admitted.from, boundary + bounds.windowUs));
  }
  return best && sayingOf(admitted, best, bounds);
}

/** The last boundary at or before an instant. */
export function lastBoundary(at: number, phase: number, windowUs: number): number {
  const boundary = phase + Math.floor((at - phase) / windowUs) * windowUs;
  // Rounded down, the division may yield one window too few.
  return boundary + windowUs <= at ? boundary + windowUs : boundary;
}

/** Whether the window that begins at `boundary`, or as far from it as drift allows, holds too many. */
function overfullFrom(admitted: Admitted, bounds: Bounds, boundary: number): Found | undefined {
  const { from, to, size } = admitted;
  const { windowUs, shortUs, slackUs } = bounds;
  const slack = slackAt(Math.abs(boundary) + windowUs, bounds);
  const [earliest, latest] = [boundary - slack, boundary + slack];
  const before = [countBelow(from, latest - shortUs), countBelow(to, earliest) - 1] as const;
  const weighing = Math.max(0, before[1] - before[0] + 1);
  const first = countBelow(from, latest);
  let widest: Found | undefined;
  for (let last = first; last < size && (to[last] as number) - earliest + slackUs < shortUs; last++) {
    // This rules out nearly all of them without creating an object each.
    if (beginOf(to[last] as number, last - first + 1, weighing, bounds) >= earliest) continue;
    const found = arcOf(admitted, { before, within: [first, last] }, bounds);
    if (found && contains(found, earliest, latest) && (!widest || found.from < widest.from)) widest = found;
  }
  return widest && widened(admitted, widest, bounds, (found) => contains(found, earliest, latest));
}

const contains = ({ from, to }: Found, earliest: number, latest: number): boolean => from < earliest && to > latest;

/** The first boundary from which on this many of the previous window weigh as much as needed; ∞ if even all of them do not. */
function beginOf(lastTo: number, within: number, weighing: number, { max, shortUs, slackUs }: Bounds): number {
  const lacking = max + 2 + HAIR - within;
  if (lacking > weighing) return Number.POSITIVE_INFINITY;
  return lastTo + slackUs - shortUs * (lacking <= 0 ? 1 : 1 - lacking / weighing);
}

/**
 * The boundaries for which these are too many: after the end of all requests before it and before all within; early enough for
 * the first request before it to weigh, and late enough for them to weigh as much as needed.
 */
function arcOf({ from, to }: Admitted, { before, within }: Weighed, bounds: Bounds): Found | undefined {
  const weighing = Math.max(0, before[1] - before[0] + 1);
  const count = within[1] - within[0] + 1;
  const begin = beginOf(to[within[1]] as number, count, weighing, bounds);
  if (begin === Number.POSITIVE_INFINITY) return undefined;
  const end = from[within[0]] as number;
  if (count >= bounds.max + 2 + HAIR) return { before: NONE, within, from: begin, to: end };
  return {
    before,
    within,
    from: Math.max(begin, to[before[1]] as number),
    to: Math.min(end, (from[before[0]] as number) + bounds.shortUs),
  };
}

/** Removes requests that are not needed, one by one, as long as that rules out more boundaries. */
function widened(admitted: Admitted, found: Found, bounds: Bounds, holds: (found: Found) => boolean): Found {
  let widest = found;
  for (;;) {
    const { before, within } = widest;
    const fewer: Weighed[] = [
      { before: [before[0] + 1, before[1]], within },
      { before: [before[0], before[1] - 1], within },
      { before, within: [within[0] + 1, within[1]] },
    ];
    const wider = fewer
      .flatMap((weighed) => (weighed.within[0] > weighed.within[1] ? [] : (arcOf(admitted, weighed, bounds) ?? [])))
      .filter((one) => holds(one) && one.to - one.from > widest.to - widest.from)
      .sort((a, b) => b.to - b.from - (a.to - a.from))[0];
    if (!wider) return widest;
    widest = wider;
  }
}

function sayingOf({ position }: Admitted, { before, within, from, to }: Found, bounds: Bounds): Saying {
  const slack = Math.max(slackAt(from, bounds), slackAt(to, bounds)) + OVERLAP_US;
  const says = 'overfull-with-boundary-within';
  const positions = () => [before, within].flatMap(([first, last]) => [...position.subarray(first, last + 1)]);
  return {
    says,
    from: from + slack,
    to: to - slack,
    draft: () => ({ says, fromUs: from, toUs: to, positions: positions() }),
  };
}
