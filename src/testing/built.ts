/**
 * What benchmarks and tests run in processes of their own, bundled by the build with the same chunks as the command: as users get
 * it, and started in a tenth of the time that compiling the sources on the way takes.
 */
export { checkJournal } from '../check/index.ts';
export { runScenario } from '../run/index.ts';
export { loadScenario } from '../scenario/index.ts';
