import { type Micros, microsFromMillis } from '../../base/index.ts';
import type { RateLimit } from '../config/limits.ts';
import type { AlignedQuota } from '../limiters/windows.ts';

/** A rate limit in the limiters' terms, with the phase where its algorithm has one. */
export function quotaOf(limit: RateLimit): AlignedQuota {
  const windowUs = microsFromMillis(limit.window);
  const phase = 'phase' in limit ? microsFromMillis(limit.phase) : 0;
  return { max: limit.max, windowUs, phaseUs: (phase % windowUs) as Micros };
}

export const SECOND_US = 1_000_000 as Micros;
/** An instant that never comes. */
export const NEVER = Number.MAX_SAFE_INTEGER as Micros;
