import type { OverAdmission, OverAdmissionRule } from '../certificates/certificate.ts';
import { greatest, least } from './raw/extremes.ts';
import type { Decided } from './raw/raw.ts';

/** Numbers of the limit for rules of over-admission. */
export interface SpanTerms {
  readonly max: number;
  /** The shortest window that the service may apply. */
  readonly shortUs: number;
  /** How much longer a span may look to the service. */
  readonly slackUs: number;
  /** For how long the service's clock may seem to have gone back. */
  readonly backUs: number;
}

/** Two ways to divide must not lead to two verdicts. */
const HAIR = 1e-9;

const regained = (spanUs: number, { max, shortUs, slackUs }: SpanTerms): number =>
  Math.floor(((spanUs + slackUs) / shortUs) * max + HAIR);

/** For rules about how many are admitted within a span: the most possible; ∞ if the rule does not limit such a span. */
const mostWithin: Readonly<Partial<Record<OverAdmissionRule, (spanUs: number, terms: SpanTerms) => number>>> = {
  'universal-2N': (spanUs, { max, shortUs }) => (spanUs < shortUs ? 2 * max : Number.POSITIVE_INFINITY),
  'universal-density': (spanUs, { max, shortUs }) => max * (Math.floor(spanUs / shortUs) + 2),
  'sliding-log-n-plus-1': (spanUs, { max, shortUs }) => (spanUs < shortUs ? max : Number.POSITIVE_INFINITY),
  'sliding-log-density': (spanUs, { max, shortUs }) => max * (Math.floor(spanUs / shortUs) + 1),
  'token-bucket-density': (spanUs, terms) => terms.max + regained(spanUs, terms),
  'interval-refill-density': (spanUs, terms) => terms.max + regained(spanUs, terms) + 1,
  'sliding-counter-density': (spanUs, terms) =>
    spanUs < terms.shortUs ? terms.max + regained(spanUs, terms) + 2 : Number.POSITIVE_INFINITY,
};

export const spanOf = (decided: readonly Decided[]): number =>
  greatest(decided.map(({ to }) => to)) - least(decided.map(({ from }) => from));

/** Whether a rate certificate of over-admission holds for the decisions of the exchanges that it names. */
export function holdsOverAdmission(
  { rule, observed, max }: OverAdmission,
  decided: readonly Decided[],
  terms: Omit<SpanTerms, 'max'>,
): boolean {
  const most = mostWithin[rule];
  if (!most || terms.shortUs <= 0 || decided.length !== observed) return false;
  if (rule === 'sliding-counter-density' && mayOverlap(decided, max, terms.backUs)) return false;
  const spanUs = spanOf(decided);
  return Number.isFinite(spanUs) && decided.length > most(spanUs, { ...terms, max });
}

/**
 * Whether nodes whose clocks differ may have admitted some of these for one window of a counter while others filled the next, so that
 * neither knew of the other: not if more than N + 1 certainly came before all that may have been in the next.
 */
function mayOverlap(decided: readonly Decided[], max: number, backUs: number): boolean {
  const since = greatest(decided.map(({ from }) => from)) - backUs;
  return backUs > 0 && decided.filter(({ to }) => to <= since).length <= max + 1;
}

/** The most that a rule of spans allows for these; `undefined` for other rules, or if they would still be too many without one of them. */
export function mostPossible(
  rule: OverAdmissionRule,
  decided: readonly Decided[],
  terms: SpanTerms,
): number | undefined {
  const most = mostWithin[rule];
  if (!most || isAnySpared(decided, (spanUs) => most(spanUs, terms))) return undefined;
  return most(spanOf(decided), terms);
}

/** Whether one can be left out with the others still too many. Only leaving out an outermost one shortens the span. */
export function isAnySpared(decided: readonly Decided[], most: (spanUs: number) => number): boolean {
  let [first, last] = [0, 0];
  for (const [i, { from, to }] of decided.entries()) {
    if (from < (decided[first] as Decided).from) first = i;
    if (to > (decided[last] as Decided).to) last = i;
  }
  const other = decided.findIndex((_, i) => i !== first && i !== last);
  return [first, last, other].some((i) => {
    const others = decided.filter((_, k) => k !== i);
    return i >= 0 && others.length > 0 && others.length > most(spanOf(others));
  });
}
