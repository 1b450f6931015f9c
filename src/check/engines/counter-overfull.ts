import type { Bounds } from '../evidence/bounds.ts';
import { OVERLAP_US, type Saying, slackAt } from './arcs.ts';
import { countBelow } from './counted.ts';
import { type Extent, extentOf, Members, NOBODY } from './counter-members.ts';
import { type Sure, sureWithin } from './counter-sure.ts';

/** Where no boundary can lie. */
interface Arc {
  readonly from: number;
  readonly to: number;
}

/**
 * Admitted attempts around a boundary: those of the previous window that certainly weigh in, and those of the current one up to
 * the last that is examined.
 */
interface Found extends Arc {
  readonly before: readonly number[];
  readonly within: readonly number[];
}

/** Of at most this many windows that rule out a phase, the one that rules out most is used. */
const MOST_COMPARED = 64;
/** An excess below this may be due to rounding. */
const HAIR = 1e-6;

/**
 * Why no window begins at `phase`, carried back to time 0: in some window more was admitted than any variant of the counter
 * allows. The last admitted request found the others there, plus the share of the previous window that still weighed at its
 * latest possible end; with a tolerance of one for the variants of the comparison that makes N + 2 (limits.md 5.4).
 * @returns what rules out the widest arc around it; `undefined` if nothing does
 */
export function overfullAt(sure: Sure, bounds: Bounds, phase: number): Saying | undefined {
  const { begins } = sure;
  let best: Found | undefined;
  let compared = 0;
  for (let index = 0; index < begins.length && compared < MOST_COMPARED; ) {
    const boundary = lastBoundary(begins[index] as number, phase, bounds.windowUs);
    const found = overfullFrom(sure, bounds, boundary);
    if (found) compared += 1;
    if (found && (!best || found.to - found.from > best.to - best.from)) best = found;
    index = Math.max(index + 1, countBelow(begins, boundary + bounds.windowUs));
  }
  return best && sayingOf(best, bounds);
}

/** The last boundary at or before an instant. */
export function lastBoundary(at: number, phase: number, windowUs: number): number {
  const boundary = phase + Math.floor((at - phase) / windowUs) * windowUs;
  // Rounded down, the division may yield one window too few.
  return boundary + windowUs <= at ? boundary + windowUs : boundary;
}

/** Whether the window that begins at `boundary`, or as far from it as drift allows, holds too many. */
function overfullFrom(sure: Sure, bounds: Bounds, boundary: number): Found | undefined {
  const { windowUs, shortUs, slackUs } = bounds;
  const slack = slackAt(Math.abs(boundary) + windowUs, bounds);
  const [earliest, latest] = [boundary - slack, boundary + slack];
  const within = sureWithin(sure, latest, earliest + shortUs - slackUs);
  const before = sureWithin(sure, latest - shortUs, earliest);
  if (within.length + before.length < bounds.max + 2) return undefined;
  const { from, to } = sure.slice;
  const weighing = extentOf(sure.slice, before);
  const contains = (arc: Arc) => arc.from < earliest && arc.to > latest;
  let first = Number.POSITIVE_INFINITY;
  let widest: (Arc & { readonly size: number }) | undefined;
  for (const [index, position] of within.entries()) {
    first = Math.min(first, from[position] as number);
    const size = index + 1;
    const end = to[position] as number;
    // This rules out nearly all of them without creating an object each.
    if (beginOf(end, size, weighing.size, bounds) >= earliest) continue;
    const arc = arcOf(weighing, { size, from: first, to: end }, bounds);
    if (arc && contains(arc) && (!widest || arc.from < widest.from)) widest = { ...arc, size };
  }
  return widest && widened(sure, widest, before, within.slice(0, widest.size), bounds, contains);
}

/** The first boundary from which on this many of the previous window weigh as much as needed; ∞ if even all of them do not. */
function beginOf(lastTo: number, within: number, weighing: number, { max, shortUs, slackUs }: Bounds): number {
  const lacking = max + EXCESS - within;
  if (lacking > weighing) return Number.POSITIVE_INFINITY;
  return lastTo + slackUs - shortUs * (lacking <= 0 ? 1 : 1 - lacking / weighing);
}

/** More than this above N: without those of the window before, too many. */
const EXCESS = 2 + HAIR;

/**
 * The boundaries for which these are too many: after the end of all requests before it and before all within; early enough for
 * the first request before it to weigh, and late enough for them to weigh as much as needed.
 */
function arcOf(before: Extent, within: Extent, bounds: Bounds): Arc | undefined {
  const weighing = within.size >= bounds.max + EXCESS ? NOBODY : before;
  const begin = beginOf(within.to, within.size, weighing.size, bounds);
  if (within.size === 0 || begin === Number.POSITIVE_INFINITY) return undefined;
  return { from: Math.max(begin, weighing.to), to: Math.min(within.from, weighing.from + bounds.shortUs) };
}

/** Removes requests that are not needed, one by one, as long as that rules out more boundaries. */
function widened(
  { slice }: Sure,
  arc: Arc,
  before: readonly number[],
  within: readonly number[],
  bounds: Bounds,
  holds: (arc: Arc) => boolean,
): Found {
  const after = new Members(slice, within);
  const weighing = new Members(slice, within.length >= bounds.max + EXCESS ? [] : before);
  let widest = arc;
  for (;;) {
    const fewer = [
      { group: weighing, member: weighing.first },
      { group: weighing, member: weighing.last },
      { group: after, member: after.first },
    ];
    const wider = fewer
      .flatMap(({ group, member }) => {
        const left = group.without(member);
        const one = group === after ? arcOf(weighing.extent, left, bounds) : arcOf(left, after.extent, bounds);
        return one && member >= 0 ? [{ ...one, group, member }] : [];
      })
      .filter((one) => holds(one) && one.to - one.from > widest.to - widest.from)
      .sort((a, b) => b.to - b.from - (a.to - a.from))[0];
    if (!wider) return { from: widest.from, to: widest.to, before: weighing.positions, within: after.positions };
    wider.group.remove(wider.member);
    widest = wider;
  }
}

function sayingOf({ before, within, from, to }: Found, bounds: Bounds): Saying {
  const slack = Math.max(slackAt(from, bounds), slackAt(to, bounds)) + OVERLAP_US;
  const says = 'overfull-with-boundary-within';
  return {
    says,
    from: from + slack,
    to: to - slack,
    draft: () => ({ says, fromUs: from, toUs: to, positions: [...before, ...within] }),
  };
}
