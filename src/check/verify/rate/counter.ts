import { greatest, least } from '../raw/extremes.ts';
import type { Decided } from '../raw/raw.ts';
import type { Refused, Rivals } from '../raw/raw-rivals.ts';

/** Boundaries strictly between `from` and `to` that a certificate rules out, service µs, with the raw decisions on which that rests. */
export type RawCounterArc = { readonly from: number; readonly to: number } & (
  | { readonly decided: readonly Decided[] }
  | { readonly refusal: Refused; readonly rivals: Rivals }
);

interface CounterTerms {
  readonly max: number;
  readonly shortUs: number;
  readonly longUs: number;
  readonly slackUs: number;
}

/** Two ways to divide must not lead to two verdicts. */
const HAIR = 1e-9;
const HAIR_US = 1e-3;

/** Whether a sliding counter whose window began anywhere in the arc cannot have behaved as seen (limits.md 5.4, tolerance 1). */
export const boundariesRuledOut = (arc: RawCounterArc, terms: CounterTerms): boolean =>
  Number.isFinite(arc.from) &&
  Number.isFinite(arc.to) &&
  arc.from < arc.to &&
  ('decided' in arc ? isOverfull(arc, arc.decided, terms) : isLight(arc, arc.refusal, arc.rivals, terms));

/** The share of a weight that the judge leaves to rounding. */
const SPARE = 1e-6;

/**
 * The range of boundaries for which these are certainly too many: after the ends of all requests of the window before, and before
 * all requests within the window; early enough for each of the former to weigh, and late enough for them to weigh as much as
 * needed.
 */
export function overfullWithin(
  { from, to, decided }: Boundaries & { readonly decided: readonly Decided[] },
  { max, shortUs, slackUs }: CounterTerms,
): Boundaries | undefined {
  const within = decided.filter((one) => one.from >= to);
  const before = decided.filter((one) => one.to <= from);
  const lacking = max + 2 + SPARE - within.length;
  if (lacking > before.length) return undefined;
  const weight = lacking <= 0 ? 1 : 1 - lacking / before.length;
  const begin = greatest(within.map((one) => one.to)) + slackUs - shortUs * weight;
  return {
    from: Math.max(begin, greatest(before.map((one) => one.to))),
    to: Math.min(least(within.map((one) => one.from)), least(before.map((one) => one.from)) + shortUs),
  };
}

interface Boundaries {
  readonly from: number;
  readonly to: number;
}

/** Each was certainly decided in the window, or certainly in the one before; the earlier the boundary, the less the latter weigh. */
function isOverfull(
  { from, to }: Boundaries,
  decided: readonly Decided[],
  { max, shortUs, slackUs }: CounterTerms,
): boolean {
  const within = decided.filter((one) => one.from >= to);
  const before = decided.filter((one) => one.to <= from);
  if (within.length + before.length !== decided.length || within.length === 0) return false;
  const passed = greatest(within.map((one) => one.to)) - from + slackUs;
  // Added on the side where rounding loses nothing.
  const weighs = before.every((one) => one.from + shortUs >= to);
  // The arc is open: for every boundary in it, less time has passed than for its beginning.
  return (
    weighs && passed <= shortUs + HAIR_US && within.length + before.length * (1 - passed / shortUs) >= max + 2 - HAIR
  );
}

/**
 * Whether too little weighs at every boundary of the arc. The weight rises evenly with the boundary, and falls only where the
 * boundary passes an end or leaves one a whole window behind. So it is greatest at one of these points or at the end of the arc.
 */
function isLight(
  { from, to }: Boundaries,
  refusal: Refused,
  rivals: Rivals,
  { max, shortUs, longUs, slackUs }: CounterTerms,
): boolean {
  if (to > refusal.from || refusal.to - shortUs > from) return false;
  const ends: number[] = [];
  for (let i = 0; i < rivals.size; i++) {
    // Refused requests, too: some counters count before they compare.
    const counts = i !== refusal.index && (rivals.from[i] as number) <= refusal.to;
    if (counts && (rivals.to[i] as number) >= from - longUs) ends.push(rivals.to[i] as number);
  }
  const weightAt = (boundary: number): number => {
    const share = Math.min(1, 1 - (refusal.from - boundary - slackUs) / longUs);
    return ends.reduce((sum, end) => sum + (end >= boundary ? 1 : end + longUs >= boundary ? share : 0), 0);
  };
  const turns = ends.flatMap((end) => [end, end + longUs]).filter((turn) => turn > from && turn < to);
  return [to, ...turns].every((boundary) => weightAt(boundary) < max - 1);
}

/**
 * Whether the counter was certainly never unused for a window between two of these. Otherwise it might have begun anew, and what
 * rules out a beginning before the pause would say nothing about one after it.
 */
export function neverLeftAlone(named: readonly Decided[], rivals: Rivals, { shortUs }: CounterTerms): boolean {
  const sure = Array.from({ length: rivals.size }, (_, i) => i).filter(
    (i) => rivals.admitted[i] === 1 || rivals.refused[i] === 1,
  );
  sure.sort((a, b) => (rivals.from[b] as number) - (rivals.from[a] as number));
  const first = least(named.map(({ from }) => from));
  const last = greatest(named.map(({ to }) => to));
  // In falling order: by when one of the later requests had certainly arrived.
  let there = Number.POSITIVE_INFINITY;
  for (let k = 0; k < sure.length; ) {
    const came = rivals.from[sure[k] as number] as number;
    const isBetween = first <= came && last >= came + shortUs;
    if (isBetween && there >= came + shortUs) return false;
    for (; k < sure.length && rivals.from[sure[k] as number] === came; k++)
      there = Math.min(there, rivals.to[sure[k] as number] as number);
  }
  return true;
}
