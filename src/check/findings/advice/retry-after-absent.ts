import type { LimitName } from '../../../api/index.ts';
import { kindOf } from '../kind.ts';
import { limitOf } from './obeying.ts';

/** Reported once per limit. Not for a concurrency limit, which need not know when a turn will finish. */
export const retryAfterAbsent = kindOf<{ limit: string; without: number; refusals: number; first: string | number }>(
  'Refusals by a limit that knows when it will admit again came without Retry-After.',
  function* (look) {
    const { sentAt, refOf } = look.evidence;
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
      const data = { limit, without, refusals, first: refOf(first) };
      yield { basis: 'observation', at: sentAt[first] as number, exchanges: [refOf(first)], data };
    }
  },
  ({ limit, without, refusals, first }) =>
    `${without} of ${refusals} refusals by the ${limit} limit have no Retry-After (first: request ${first})`,
);
