import type { WrongfulRefusal, WrongfulRefusalRule } from '../certificate.ts';
import type { Decided } from './raw.ts';

/** A request that may have counted; `refused`: surely by the same limit, so that it counts only where refusals do. */
export interface Rival extends Decided {
  readonly refused: boolean;
}

export interface RefusalTerms {
  readonly max: number;
  /** The window as long as the service may make it. */
  readonly longUs: number;
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
  // One less than N: variants of the comparison differ by one (limits.md 5.4).
  'wrongful-refusal-sliding-counter': (refusal, rivals, { max, longUs }) =>
    mostAtOneInstant(refusal, unrefused(rivals), 2 * longUs) < max - 1,
  'wrongful-refusal-token-bucket': (refusal, rivals, terms) =>
    bucketHasToken(refusal, unrefused(rivals), terms, (tokens) => tokens),
  'wrongful-refusal-interval-refill': (refusal, rivals, terms) =>
    bucketHasToken(refusal, unrefused(rivals), terms, Math.floor),
};

/**
 * For every x: those that may have been decided in [x, refusal], and the refusal itself, fit into what the bucket held and
 * regained since (limits.md 5.2).
 */
function bucketHasToken(
  refusal: Decided,
  rivals: readonly Rival[],
  { max, longUs, flushed }: RefusalTerms,
  whole: (tokens: number) => number,
): boolean {
  const before = rivals.filter(({ from }) => from <= refusal.to);
  // What a bucket never regained before the run counts as spent at its beginning.
  const debts = flushed ? [] : Array.from({ length: max }, () => 0);
  const ends = [...before.map(({ to }) => Math.min(to, refusal.to)), ...debts].sort((a, b) => b - a);
  return ends.every((x, i) => {
    const regained = whole((Math.max(0, refusal.from - x) * max) / longUs + 1e-9);
    return i + 1 + 1 <= max + regained || bucketFullSince(x, refusal, max, longUs);
  });
}

/** A bucket that nobody can have emptied since is full after a whole window, whatever came before. */
const bucketFullSince = (_x: number, _refusal: Decided, _max: number, _longUs: number): boolean => false;

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
