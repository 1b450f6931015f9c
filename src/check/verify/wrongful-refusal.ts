import type { WrongfulRefusal, WrongfulRefusalRule } from '../certificate.ts';
import type { Decided } from './raw.ts';

/** A request that may have counted; `refused`: surely by the same limit, so that it counts only where refusals do. */
export interface Rival extends Decided {
  readonly refused: boolean;
  /** Surely admitted; anything else may have been refused. */
  readonly admitted: boolean;
}

export interface RefusalTerms {
  readonly max: number;
  /** The window as long as the service may make it. */
  readonly longUs: number;
  /** By how much a wait may look shorter to the service. */
  readonly slackUs: number;
  /** Nothing was counted before the run. */
  readonly flushed: boolean;
}

type Rule = (refusal: Decided, rivals: readonly Rival[], terms: RefusalTerms) => boolean;

/** The instants that matter: counts change upwards only when a request begins. */
const instants = (refusal: Decided, rivals: readonly Rival[]): number[] => [
  refusal.from,
  ...rivals.flatMap(({ from }) => (from > refusal.from && from <= refusal.to ? [from] : [])),
];

function mostAtOneInstant(refusal: Decided, rivals: readonly Rival[], backUs: number): number {
  const near = rivals.filter(({ from, to }) => from <= refusal.to && to >= refusal.from - backUs);
  const countAt = (t: number) =>
    near.reduce((count, { from, to }) => (from <= t && to >= t - backUs ? count + 1 : count), 0);
  return Math.max(...instants(refusal, near).map(countAt));
}

const unrefused = (rivals: readonly Rival[]) => rivals.filter(({ refused }) => !refused);

/** Every rule says that the refusal cannot be explained. */
const wrongful: Readonly<Partial<Record<WrongfulRefusalRule, Rule>>> = {
  'wrongful-refusal-last-window': (refusal, rivals, { max, longUs }) =>
    mostAtOneInstant(refusal, unrefused(rivals), longUs) < max,
  'wrongful-refusal-counting-refused': (refusal, rivals, { max, longUs }) =>
    mostAtOneInstant(refusal, rivals, longUs) < max,
  'wrongful-refusal-penalty': (refusal, rivals, { max, longUs }) =>
    mostAtOneInstant(refusal, unrefused(rivals), longUs) < max &&
    !rivals.some(({ admitted, from, to }) => !admitted && from <= refusal.to && to >= refusal.from - longUs),
  // One less than N: variants of the comparison differ by one (limits.md 5.4).
  'wrongful-refusal-sliding-counter': (refusal, rivals, { max, longUs }) =>
    mostAtOneInstant(refusal, unrefused(rivals), 2 * longUs) < max - 1,
  'wrongful-refusal-token-bucket': (refusal, rivals, terms) =>
    spentAtMost(refusal, unrefused(rivals), terms, 0) <= terms.max - 1,
  // Tokens come at ticks, so up to one may still be owed.
  'wrongful-refusal-interval-refill': (refusal, rivals, terms) =>
    spentAtMost(refusal, unrefused(rivals), terms, 1) + 1 <= terms.max - 1,
};

/**
 * The most tokens that can have been missing when the refusal was decided: everything that may have counted is spent as late as
 * can be, tokens come back as slowly as can be, and never more than all (`max + owed`) are missing.
 */
function spentAtMost(
  refusal: Decided,
  rivals: readonly Rival[],
  { max, longUs, slackUs, flushed }: RefusalTerms,
  owed: number,
): number {
  const past = rivals.filter(({ to }) => to < refusal.from).sort((a, b) => a.to - b.to);
  const present = rivals.filter(({ from, to }) => to >= refusal.from && from <= refusal.to).length;
  let spent = flushed ? 0 : max + owed;
  let at = flushed ? Number.NEGATIVE_INFINITY : 0;
  const wait = (until: number) => {
    if (until > at) spent = Number.isFinite(at) ? Math.max(0, spent - ((until - at) * max) / longUs) : spent;
    at = Math.max(at, until);
  };
  for (const { to } of past) {
    wait(to);
    spent = Math.min(max + owed, spent + 1);
  }
  wait(refusal.from);
  return spent + present + (slackUs * max) / longUs - 1e-6;
}

/** Whether a certificate of a wrongful refusal holds against everything that may have counted. */
export function holdsWrongfulRefusal(
  certificate: WrongfulRefusal,
  refusal: Decided,
  rivals: readonly Rival[],
  terms: RefusalTerms,
): boolean {
  const rule = wrongful[certificate.rule];
  return rule !== undefined && Number.isFinite(refusal.from) && rule(refusal, rivals, terms);
}
