import type { TargetProfile } from '../../api/index.ts';
import { type ConfigProblem, ConfigurationError, formatCount } from '../../base/index.ts';
import type { Price } from './price.ts';

/**
 * Checks that a plan stays within the profile's budget.
 * @throws ConfigurationError with every budget that the plan exceeds, or may exceed because it is too long to predict
 */
export function checkBudget(price: Price, profile: TargetProfile): void {
  const problems = budgetProblems(price, profile);
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** Every budget that a plan exceeds, or may exceed. */
export function budgetProblems(price: Price, profile: TargetProfile): readonly ConfigProblem[] {
  const planned = price.most;
  return (['requests', 'messages'] as const).flatMap((what) => {
    const budget = profile.budget[what];
    if (budget === undefined || (price.whole && planned[what] <= budget)) return [];
    const path = `budget.${what}`;
    if (planned[what] <= budget) {
      const message = `the plan is too long to predict whether it stays within the budget of ${formatCount(budget)} ${what}`;
      return [{ path, message, hint: 'shorten the plan, or remove this budget from the profile' }];
    }
    const message = `the plan may send ${price.whole ? '' : 'at least '}${formatCount(planned[what])} ${what}, the budget is ${formatCount(budget)}`;
    return [{ path, message, hint: 'send less, or raise the budget in the profile' }];
  });
}

/** The price of running a plan several times. The busiest minute and the open turns remain those of one round. */
export function manyTimes(price: Price, times: number): Price {
  const many = ({ low, high }: Price['requests']) => ({ low: low * times, high: high * times });
  const { tokens, requests, polls, messages, newMessages, dailyUse, most, ifFast } = price;
  return {
    ...price,
    tokens: many(tokens),
    requests: many(requests),
    polls: many(polls),
    messages: many(messages),
    newMessages: many(newMessages),
    dailyUse: many(dailyUse),
    most: unrefusedTimes(most, times),
    ...(ifFast && { ifFast: { whole: ifFast.whole, ...unrefusedTimes(ifFast, times) } }),
  };
}

const unrefusedTimes = (
  { requests, messages, newMessages, dailyUse }: Price['most'],
  times: number,
): Price['most'] => ({
  requests: requests * times,
  messages: messages * times,
  newMessages: newMessages * times,
  dailyUse: dailyUse * times,
});

/** Most new messages on a day, at whatever speed the service answers. */
const mostOfADay = ({ most, ifFast }: Price): number => Math.max(most.dailyUse, ifFast?.dailyUse ?? 0);

/** Whether the user must confirm the run: it may spend more than half of a day's quota, or an unknown amount. */
export function spendsMuch(price: Price, profile: TargetProfile): boolean {
  const { whole, ifFast } = price;
  const isUnknown = !whole || (ifFast?.whole === false && ifFast.newMessages > 0);
  return isUnknown || mostOfADay(price) > profile.limits.daily.max / 2;
}

/** Why the user must confirm the run. */
export function whatItSpends(price: Price, profile: TargetProfile): string {
  const { max } = profile.limits.daily;
  const ofTheDay = `of the day's ${formatCount(max)} new messages`;
  if (!price.whole) return `this plan is too long to predict how many ${ofTheDay} it uses`;
  const most = mostOfADay(price);
  const sent = formatCount(most);
  const isCut = price.ifFast?.whole === false;
  if (most > max) return `this may use all ${ofTheDay}: it sends ${isCut ? `${sent} or more` : `up to ${sent}`}`;
  return isCut ? `this may use ${sent} ${ofTheDay}, or more` : `this uses up to ${sent} ${ofTheDay}`;
}
