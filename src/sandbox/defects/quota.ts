import { type Micros, microsFromMillis } from '../../base/index.ts';
import type { RateLimit } from '../config/limits.ts';
import type { AlignedQuota } from '../limiters/windows.ts';

/** The quota of a rate limit, as limiters take it. The phase is 0 if the algorithm has none. */
export function quotaOf(limit: RateLimit): AlignedQuota {
  const windowUs = microsFromMillis(limit.window);
  const phase = 'phase' in limit ? microsFromMillis(limit.phase) : 0;
  return { max: limit.max, windowUs, phaseUs: (phase % windowUs) as Micros };
}

export const SECOND_US = 1_000_000 as Micros;
/** An instant that never comes. */
export const NEVER = Number.MAX_SAFE_INTEGER as Micros;
