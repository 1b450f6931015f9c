import { greatest } from './over-admission.ts';
import type { Decided } from './raw.ts';
import type { Rivals } from './raw-rivals.ts';
import type { Refused } from './refusal-rules.ts';

/** Boundaries strictly between `from` and `to` that a certificate rules out, service µs, with the raw decisions behind it. */
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

/** Of two ways to divide, neither may turn a verdict. */
const HAIR = 1e-9;
const HAIR_US = 1e-3;

/** Whether a sliding counter whose window began anywhere in the arc cannot have done what was seen (limits.md 5.4, tolerance 1). */
export const boundariesRuledOut = (arc: RawCounterArc, terms: CounterTerms): boolean =>
  Number.isFinite(arc.from) &&
  Number.isFinite(arc.to) &&
  arc.from < arc.to &&
  ('decided' in arc ? isOverfull(arc, arc.decided, terms) : isLight(arc, arc.refusal, arc.rivals, terms));

/** A share of what weighs that the judge leaves to rounding. */
const SPARE = 1e-6;

/**
 * Between which boundaries these are surely too many: behind the ends of all of the window before and ahead of all that are within; early enough
 * for each of the former to weigh, and late enough for them to weigh as much as is needed.
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
    from: Math.max(begin, ...before.map((one) => one.to)),
    to: Math.min(...within.map((one) => one.from), ...before.map((one) => one.from + shortUs)),
  };
}

interface Boundaries {
  readonly from: number;
  readonly to: number;
}

/** Each was decided surely in the window, or surely in the one before; the earlier the boundary, the less those before it weigh. */
function isOverfull(
  { from, to }: Boundaries,
  decided: readonly Decided[],
  { max, shortUs, slackUs }: CounterTerms,
): boolean {
  const within = decided.filter((one) => one.from >= to);
  const before = decided.filter((one) => one.to <= from);
  if (within.length + before.length !== decided.length || within.length === 0) return false;
  const passed = Math.max(...within.map((one) => one.to)) - from + slackUs;
  // Added on the side on which nothing is lost by rounding.
  const weighs = before.every((one) => one.from + shortUs >= to);
  // The arc is open: with every boundary in it, less has passed than with its beginning.
  return (
    weighs && passed <= shortUs + HAIR_US && within.length + before.length * (1 - passed / shortUs) >= max + 2 - HAIR
  );
}

/**
 * Whether too little weighs at every boundary of the arc. The weight rises evenly with the boundary, and falls only where it passes
 * an end, or where it leaves one a whole window behind: so it is greatest at one of these, or at the end of the arc.
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
    // What was refused, too: some counters count before they compare.
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
 * Whether nothing that surely reached the counter leaves it alone for a window between two of these: it might have begun anew, and what
 * speaks against a beginning of its windows before would say nothing of the one behind.
 */
export function neverLeftAlone(named: readonly Decided[], rivals: Rivals, { shortUs }: CounterTerms): boolean {
  const sure = Array.from({ length: rivals.size }, (_, i) => i).filter(
    (i) => rivals.admitted[i] === 1 || rivals.refused[i] === 1,
  );
  sure.sort((a, b) => (rivals.from[b] as number) - (rivals.from[a] as number));
  const first = Math.min(...named.map(({ from }) => from));
  const last = Math.max(...named.map(({ to }) => to));
  // Latest first: by when one of those that came later was surely there.
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
