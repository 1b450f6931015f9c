/**
 * Exports for benchmarks and tests that run in separate processes. Bundled with the same chunks as the command, so they test what users
 * get and start in a tenth of the time that compiling the sources takes.
 */
export { checkJournal } from '../check/index.ts';
export { runScenario } from '../run/index.ts';
export { loadScenario } from '../scenario/index.ts';
