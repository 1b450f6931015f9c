/**
 * Exports for benchmarks and tests that run in separate processes. Bundled with the same chunks as the command, so they test what users
 * get and start in a tenth of the time that compiling the sources takes.
 */
export { checkJournal } from '../check/index.ts';
export { ourCapacity } from '../run/calibrate/capacity.ts';
export { startLoopback } from '../run/calibrate/loopback.ts';
export { paceAt } from '../run/calibrate/pacing.ts';
export { runScenario } from '../run/index.ts';
export { loadScenario } from '../scenario/index.ts';
