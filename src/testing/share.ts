/** Share of the repetitions: so few that the suite takes four to seven minutes on two cores. `.ci/run` makes 0.15, SPILLWAY_TEST_SHARE=1 all. */
const share = Number(process.env.SPILLWAY_TEST_SHARE ?? 0.1);

/**
 * Number of repetitions of a test: `count` times the share in SPILLWAY_TEST_SHARE (0 to 1, default 0.1), but at least `least`.
 * Mutation testing lowers the share, because it runs every test thousands of times.
 */
export const runs = (count: number, least = 1): number => Math.max(Math.min(least, count), Math.ceil(count * share));

/** Whether to run tests that use both cores, too, because they measure or simulate much. `.ci/run` runs them separately. */
export const isWhole = process.env.SPILLWAY_TESTS === 'all';
