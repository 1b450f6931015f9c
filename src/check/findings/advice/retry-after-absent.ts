import type { LimitName } from '../../../api/index.ts';
import { formatCount } from '../../../base/index.ts';
import { kindOf, observed } from '../kind.ts';
import { limitOf } from './obeying.ts';

/** Reported once per limit. Not for a concurrency limit, which need not know when a turn will finish. */
export const retryAfterAbsent = kindOf<{ limit: string; without: number; refusals: number; first: string | number }>(
  'Refusals by a limit that knows when it will admit again came without Retry-After.',
  function* (look) {
    const { evidence } = look;
    const { sentAt } = evidence;
    const seen = new Map<LimitName, { refusals: number; without: number; first: number }>();
    const { refusals: all } = look.advice;
    for (let i = 0; i < all.size; i++) {
      const row = all.row(i);
      const limit = limitOf(look, row);
      if (limit === undefined || limit === 'concurrency') continue;
      const known = seen.get(limit) ?? { refusals: 0, without: 0, first: row };
      seen.set(limit, known);
      known.refusals += 1;
      if (all.retryAfter(i) !== undefined) continue;
      const isEarlier = (sentAt[row] as number) < (sentAt[known.first] as number);
      if (known.without === 0 || isEarlier) known.first = row;
      known.without += 1;
    }
    for (const [limit, { refusals, without, first }] of seen) {
      if (without === 0) continue;
      yield observed(evidence, [first], { limit, without, refusals, first: evidence.refOf(first) });
    }
  },
  ({ limit, without, refusals, first }) =>
    `${formatCount(without)} of ${formatCount(refusals)} refusals by the ${limit} limit have no Retry-After (first: request ${first})`,
);
