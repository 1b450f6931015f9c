import type { Micros } from '../../base/index.ts';

export const SECOND_US = 1_000_000 as Micros;
/** An instant that never comes. */
export const NEVER = Number.MAX_SAFE_INTEGER as Micros;
