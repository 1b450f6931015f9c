/**
 * run/ is the only room that knows all others and connects them: it starts the embedded sandbox in its own process or uses a
 * remote service, opens every output before the first request, runs the plan, watches the generator, and turns the result into
 * files, a table and an exit code. It also rehearses plans in virtual time, to forecast their cost. It must not measure, judge or
 * format by itself: the other rooms do.
 */

export { adjust } from './adjust.ts';
export { CALIBRATION_RATES, calibrate } from './calibrate/index.ts';
export { renderCalibration } from './calibrate/render.ts';
export { stageProblems } from './check-stages.ts';
export type { RunOutcome } from './conclude-run.ts';
export { DASHBOARD_PORT } from './dashboard/start.ts';
export { paceNotes, realTimeNotes } from './forecast/pace.ts';
export { planLines } from './forecast/plan-lines.ts';
export { planScenario } from './forecast/plan-scenario.ts';
export type { Price } from './forecast/price.ts';
export { renderPrice } from './forecast/price-text.ts';
export { shortGateNotes } from './forecast/short-gates.ts';
export { budgetProblems, checkBudget, manyTimes, spendsMuch, whatItSpends } from './forecast/spending.ts';
export { unreachedLimitNotes } from './forecast/unreached-limits.ts';
export { initProject, starterTarball } from './init-project.ts';
export { type RoundsOutcome, runRounds, tooFewRounds } from './rounds/run-rounds.ts';
export type { Against, Terminal } from './run-options.ts';
export { runScenario } from './run-scenario.ts';
export { shortSecrets } from './secrets/short-secrets.ts';
export { type CheckOutcome, checkRun, describeReadings, readingsNamed } from './stored/check-run.ts';
export { differences, type RunDifference } from './stored/comparable.ts';
export {
  type CompareOptions,
  type CompareOutcome,
  checkMetrics,
  compareOnDisk,
  usualSlack,
} from './stored/compare-runs.ts';
export { openPool, type PooledRun, type PoolFlaw } from './stored/pool.ts';
export { poolable } from './stored/poolable.ts';
export { reportRun } from './stored/report-run.ts';
export { checkUnused, requireRun } from './stored/results-folder.ts';
export { preflight } from './target/preflight.ts';
export { profileFaults } from './target/profile-faults.ts';
export { sandboxFaults } from './target/sandbox-faults.ts';
export { sandboxNotes } from './target/sandbox-notes.ts';
export { remoteAddress } from './target/target.ts';
export { MOST_WORKERS } from './workers/check.ts';
