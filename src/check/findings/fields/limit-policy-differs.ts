import type { LimitName } from '../../../api/index.ts';
import { formatCount } from '../../../base/index.ts';
import type { Header } from '../../../history/index.ts';
import { each } from '../gather/advice.ts';
import { kindOf, observed } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import type { Told } from '../read/told.ts';
import { limitTold, policyName } from './limit-told.ts';

type Data = { policy: string; limit: string; told: string; declared: string; request: string | number };

/** Reported once per policy and its numbers. */
export const limitPolicyDiffers = kindOf<Data>(
  'The policy in a header field has other numbers than the profile declares.',
  function* ({ advice, evidence, header }) {
    const first = new Map<string, { readonly row: number; readonly told: Told; readonly limit: LimitName }>();
    const limitOf = (told: Told) => {
      const limit = limitTold(told, header);
      return limit !== undefined && differs(told, limit, header) ? limit : undefined;
    };
    if (![...advice.everTold].some((told) => limitOf(told) !== undefined)) return;
    for (const { row, told } of each(advice.tellings)) {
      const limit = limitOf(told);
      if (limit === undefined) continue;
      const key = JSON.stringify([told.policy, told.quota, told.windowSeconds, limit]);
      const known = first.get(key);
      const isEarlier = known && (evidence.sentAt[known.row] as number) <= (evidence.sentAt[row] as number);
      if (!isEarlier) first.set(key, { row, told, limit });
    }
    for (const { row, told, limit } of first.values()) {
      yield observed(evidence, [row], {
        policy: plainWord(policyName(told.policy)),
        limit,
        told: numbers(limit, told.quota ?? 0, told.windowSeconds),
        declared: numbers(limit, header.limits[limit].max, header.limits.rate.windowUs / 1e6),
        request: evidence.refOf(row),
      });
    }
  },
  ({ policy, limit, told, declared, request }) =>
    `the policy ${policy} in the answer to request ${request} is ${told}; the declared ${limit} limit is ${declared}`,
);

/** Whether a policy that is about a limit has other numbers than those declared; what it does not tell does not differ. */
export function differs({ quota, windowSeconds }: Told, limit: LimitName, { limits }: Header): boolean {
  if (quota !== undefined && quota !== limits[limit].max) return true;
  return limit === 'rate' && windowSeconds !== undefined && windowSeconds * 1e6 !== limits.rate.windowUs;
}

/** @param windowS absent if the fields have none */
function numbers(limit: LimitName, quota: number, windowS?: number): string {
  if (limit === 'concurrency') return `${formatCount(quota)} at once`;
  if (limit === 'rate' && windowS === undefined) return formatCount(quota);
  return limit === 'daily' ? `${formatCount(quota)} a day` : `${formatCount(quota)} per ${windowS} s`;
}
