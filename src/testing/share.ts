/** A quarter of them, so that the suite ends within five minutes on two cores; all with SPILLWAY_TEST_SHARE=1. */
const share = Number(process.env.SPILLWAY_TEST_SHARE ?? 0.25);

/**
 * How often a test repeats itself: `runs` times, times the share that SPILLWAY_TEST_SHARE says (from 0 to 1, default 0.25), at least
 * `least`. Mutation testing lowers it: it runs every test thousands of times.
 */
export const runs = (count: number, least = 1): number => Math.max(Math.min(least, count), Math.ceil(count * share));

/** Whether tests run that keep both cores busy by themselves, for what they measure or for how much they play: `.ci/run` has them run apart. */
export const isWhole = process.env.SPILLWAY_TESTS === 'all';
