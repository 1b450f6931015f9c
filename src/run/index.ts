/**
 * run/ is the only room that knows all others and connects them: it starts the embedded sandbox in its own process or uses a
 * remote service, opens every output before the first request, runs the plan, watches the generator, and turns the result into
 * files, a table and an exit code. It also rehearses plans in virtual time, to forecast their cost. It must not measure, judge or
 * format by itself: the other rooms do.
 */

export { adjust } from './adjust.ts';
export { CALIBRATION_RATES, calibrate } from './calibrate/index.ts';
export { renderCalibration } from './calibrate/render.ts';
export { type CheckOutcome, checkRun, describeReadings, readingsNamed } from './check-run.ts';
export { differences, type RunDifference } from './comparable.ts';
export { type CompareOptions, checkMetrics, compareOnDisk, usualSlack } from './compare-runs.ts';
export type { RunOutcome } from './conclude-run.ts';
export { DASHBOARD_PORT } from './dashboard/start.ts';
export { initProject } from './init-project.ts';
export { paceNotes } from './pace.ts';
export { planLines } from './plan-lines.ts';
export { planScenario } from './plan-scenario.ts';
export { openPool, type PooledRun, type PoolFlaw } from './pool.ts';
export { poolable } from './poolable.ts';
export { preflight } from './preflight.ts';
export type { Price } from './price.ts';
export { renderPrice } from './price-text.ts';
export { profileFaults } from './profile-faults.ts';
export { reportRun } from './report-run.ts';
export { checkUnused, requireRun } from './results-folder.ts';
export type { Against, Terminal } from './run-options.ts';
export { type RoundsOutcome, roundsLacking, runRounds } from './run-rounds.ts';
export { runScenario } from './run-scenario.ts';
export { sandboxFaults } from './sandbox-faults.ts';
export { undeclaredLimits } from './sandbox-limits.ts';
export { budgetProblems, checkBudget, manyTimes, spendsMuch } from './spending.ts';
export { remoteAddress } from './target.ts';
export { MOST_WORKERS } from './workers/check.ts';
