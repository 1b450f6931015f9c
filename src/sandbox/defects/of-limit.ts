import type { LimitName } from '../../api/index.ts';
import type { ConcurrencyLimit, DailyLimit, LimitsConfig, RateLimit } from '../config/limits.ts';
import type { Rule } from '../gate/index.ts';
import type { Breakage, Circumstances, Defect, Requirement } from './defect.ts';

interface LimitOf {
  readonly rate: RateLimit;
  readonly concurrency: ConcurrencyLimit;
  readonly daily: DailyLimit;
}

/** The members of a rule that the defect replaces. @param limit settings of the rule */
type Change<Name extends LimitName> = (rule: Rule, limit: LimitOf[Name], circumstances: Circumstances) => Partial<Rule>;

/** Changes the rules of one kind of limit that have the required algorithm, day and slot. */
export function changedRules<Name extends LimitName>(
  name: Name,
  change: Change<Name>,
  circumstances: Circumstances,
  { algorithm, day, slot }: Requirement = {},
): Pick<Breakage, 'rules'> {
  const limits = circumstances.config.limits[name] as readonly LimitOf[Name][];
  const isMeant = (limit: object) =>
    (algorithm === undefined || ('algorithm' in limit && algorithm.some((each) => each === limit.algorithm))) &&
    (day === undefined || ('day' in limit && day.some((each) => each === limit.day))) &&
    (slot === undefined || ('slot' in limit && slot === limit.slot));
  return {
    rules: (honest) =>
      honest.map((rule) => {
        const limit = rule.limit === name ? limits.find((each) => each.name === rule.name) : undefined;
        return limit && isMeant(limit) ? { ...rule, ...change(rule, limit, circumstances) } : rule;
      }),
  };
}

/** A defect of one kind of limit. */
const ofLimit =
  <Name extends LimitName>(limit: Name) =>
  (says: string, change: Change<Name>, requires?: Requirement): Defect => ({
    limit,
    says,
    ...(requires && { requires }),
    breaks: (circumstances) => changedRules(limit, change, circumstances, requires),
  });

export const ofRate = ofLimit('rate');
export const ofSlots = ofLimit('concurrency');
export const ofDay = ofLimit('daily');

/** @returns what is missing if there are fewer than two rate limits */
export const lacksTwoRates = ({ rate }: LimitsConfig): string | undefined =>
  rate.length < 2 ? 'needs two rate limits' : undefined;
