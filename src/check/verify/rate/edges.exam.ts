import type {
  OverAdmission,
  OverAdmissionRule,
  WrongfulRefusal,
  WrongfulRefusalRule,
} from '../../certificates/certificate.ts';
import type { Decided } from '../raw/raw.ts';
import { type Rival, rivalsOf } from '../raw/rivals.exam.ts';
import type { RuleTerms } from './refusal-rules.ts';
import { holdsWrongfulRefusal } from './wrongful-refusal.ts';

/*
 * Every rule of the verifier at its edge: 5 per 60 units of time, so that windows, waits and tokens (12 units each) meet.
 */

export const MAX = 5;
export const W = 60;

export const overAdmission = (rule: OverAdmissionRule, observed: number, scope: OverAdmission['scope'] = {}) =>
  ({ rule, observed, scope, max: MAX, windowUs: W, because: 'over-admission' }) as unknown as OverAdmission;

export const terms: RuleTerms = {
  max: MAX,
  windowUs: W,
  shortUs: W,
  longUs: W,
  slackUs: 0,
  backUs: 0,
  wasSet: false,
  flushed: true,
  ownSince: Number.NEGATIVE_INFINITY,
};
export const isWrongful = (
  rule: WrongfulRefusalRule,
  rivals: readonly Rival[],
  { from = 200, to = from + 10, index = -1, ...members }: Partial<RuleTerms & Decided & { index: number }> = {},
  printed: Partial<WrongfulRefusal> = {},
  listed = new Set(rivals.keys()),
) => {
  const of = { ...terms, ...members };
  const needed = of.max;
  const certificate = { rule, needed, observed: needed - 1, lookBackUs: Number.POSITIVE_INFINITY, ...printed };
  return holdsWrongfulRefusal(certificate as WrongfulRefusal, { from, to, index }, rivalsOf(rivals), of, listed);
};
