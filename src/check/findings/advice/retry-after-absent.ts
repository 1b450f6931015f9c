import type { LimitName } from '../../../api/index.ts';
import type { Refusal } from '../gather/advice.ts';
import { kindOf } from '../kind.ts';
import { limitOf } from './obeying.ts';

/** Once per limit. A concurrency limit need not know when a turn will have finished. */
export const retryAfterAbsent = kindOf<{ limit: string; without: number; refusals: number; first: string | number }>(
  'Refusals by a limit that knows when it will admit again came without Retry-After.',
  function* (look) {
    const seen = new Map<LimitName, { refusals: number; without: Refusal[] }>();
    for (const refusal of look.advice.refusals) {
      const limit = limitOf(look, refusal.row);
      if (limit === undefined || limit === 'concurrency') continue;
      const known = seen.get(limit) ?? { refusals: 0, without: [] };
      seen.set(limit, known);
      known.refusals += 1;
      if (refusal.retryAfter === undefined) known.without.push(refusal);
    }
    for (const [limit, { refusals, without }] of seen) {
      const [first] = without.sort((a, b) => a.sentAt - b.sentAt || a.row - b.row);
      if (!first) continue;
      const ref = look.evidence.refOf(first.row);
      const data = { limit, without: without.length, refusals, first: ref };
      yield { basis: 'observation', at: first.sentAt, exchanges: [ref], data };
    }
  },
  ({ limit, without, refusals, first }) =>
    `${without} of ${refusals} refusals by the ${limit} limit have no Retry-After, request ${first} first`,
);
