import type { TargetProfile } from '../api/index.ts';
import { ConfigurationError } from '../base/index.ts';
import type { Price } from './price.ts';

/**
 * Care with other people's services: refuses a plan beyond the profile's budget.
 * @throws ConfigurationError with every budget that is exceeded
 */
export function checkBudget(price: Price, profile: TargetProfile): void {
  const { requests, messages } = profile.budget;
  const planned = price.requests.high + price.tokens.high;
  const atLeast = price.whole ? '' : 'at least ';
  const problems = [
    ...(requests !== undefined && planned > requests
      ? [
          {
            path: 'budget.requests',
            message: `the plan may send ${atLeast}${planned} requests, the budget is ${requests}`,
          },
        ]
      : []),
    ...(messages !== undefined && price.messages.high > messages
      ? [
          {
            path: 'budget.messages',
            message: `the plan may send ${atLeast}${price.messages.high} messages, the budget is ${messages}`,
          },
        ]
      : []),
  ];
  if (problems.length > 0)
    throw new ConfigurationError(
      problems.map((problem) => ({ ...problem, hint: 'send less, or raise the budget in the profile' })),
    );
}

/** The price of a plan that is run so many times; its fullest minute and its turns at once are no fuller for that. */
export function manyTimes(price: Price, times: number): Price {
  const many = ({ low, high }: Price['requests']) => ({ low: low * times, high: high * times });
  const { tokens, requests, polls, messages, dailyUse } = price;
  return {
    ...price,
    tokens: many(tokens),
    requests: many(requests),
    polls: many(polls),
    messages: many(messages),
    dailyUse: many(dailyUse),
  };
}

/** Whether a person should agree first: more than half of a day's quota would be spent. */
export function spendsMuch(price: Price, profile: TargetProfile): boolean {
  return price.dailyUse.high > profile.limits.daily.max / 2;
}
