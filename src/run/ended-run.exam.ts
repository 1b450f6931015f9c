import type { Summary } from '../collect/index.ts';

/** What a run of three requests measured, as far as its exit code and its validity depend on it. */
export const summary = (
  complete: boolean,
  unmet: number,
  health: Partial<Summary['health']> = {},
  expectations: Partial<Summary['expectations']> = { checked: 4 },
): Summary =>
  ({
    health: { intervals: 1, ...health },
    run: { exchanges: 3, warmUp: { exchanges: 0 }, complete },
    total: { byOutcome: { success: 3, error: 0, refused: 0 } },
    operations: {},
    journeys: {},
    expectations: { ...expectations, unmet },
  }) as unknown as Summary;

export const outcomes = (some: Partial<Summary['total']['byOutcome']>) => ({
  byOutcome: { success: 0, error: 0, refused: 0, failed: 0, censored: 0, ...some },
});

/** Of a generator that was late. */
export const slow = {
  bottlenecks: [{ what: 'lag', percentile: 'p50', us: 52_000, allowedUs: 20_000 }],
} as unknown as Partial<Summary['health']>;
