import type { LimitName } from '../../../api/index.ts';
import type { Told } from '../read/limit-fields.ts';

/** A window from 22 hours on is a day: of 23 or 25 hours where the clocks change. */
const SHORTEST_DAY_S = 79_200;

/** Which limit a policy is about, by its unit and its window; the older fields, which have neither, are the rate's. `undefined`: unknown. */
export function limitTold({ policy, unit, windowSeconds }: Told): LimitName | undefined {
  if (policy === '') return 'rate';
  if (unit === 'concurrent-requests') return 'concurrency';
  if (unit !== undefined && unit !== 'requests') return undefined;
  if (windowSeconds === undefined) return undefined;
  return windowSeconds >= SHORTEST_DAY_S ? 'daily' : 'rate';
}

/** A policy's name for a sentence; the older fields have none. */
export const policyName = (policy: string) => (policy === '' ? 'X-RateLimit' : policy);
