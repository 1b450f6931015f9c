import type { LimitName } from '../../../api/index.ts';
import type { Header } from '../../../history/index.ts';
import { UNNAMED } from '../read/older-drafts.ts';
import type { Told } from '../read/told.ts';

/** A window of 22 hours or more is a day: days have 23 or 25 hours when clocks change. */
const SHORTEST_DAY_S = 79_200;

/**
 * Which limit a policy describes, by its unit and window. Older fields that have neither describe the rate limit, unless their number
 * is that of another limit. `undefined`: unknown.
 */
export function limitTold({ policy, unit, windowSeconds, quota }: Told, { limits }: Header): LimitName | undefined {
  if (policy === '' || policy === UNNAMED) return isOfAnother(quota, limits) ? undefined : 'rate';
  if (unit === 'concurrent-requests') return 'concurrency';
  if (unit !== undefined && unit !== 'requests') return undefined;
  if (windowSeconds === undefined) return undefined;
  return windowSeconds >= SHORTEST_DAY_S ? 'daily' : 'rate';
}

const isOfAnother = (quota: number | undefined, { rate, concurrency, daily }: Header['limits']): boolean =>
  quota !== undefined && quota !== rate.max && (quota === concurrency.max || quota === daily.max);

/** A policy's name for a sentence; the older fields have none. */
export const policyName = (policy: string) => (policy === '' ? 'X-RateLimit' : policy);
