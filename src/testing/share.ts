const share = Number(process.env.SPILLWAY_TEST_SHARE ?? 1);

/**
 * How often a test repeats itself: `runs` times, or the share of them that SPILLWAY_TEST_SHARE says (from 0 to 1), at least
 * `least`. Mutation testing lowers it: it runs every test thousands of times.
 */
export const runs = (count: number, least = 1): number => Math.max(Math.min(least, count), Math.ceil(count * share));
