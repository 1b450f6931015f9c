import type { Micros } from '../../base/index.ts';

/** 24 hours. */
export const DAY_US = 86_400_000_000 as Micros;
