/** The rooms that benchmarks drive, bundled by the build with the same chunks as the command. */
export { checkJournal } from '../check/index.ts';
export { runScenario } from '../run/index.ts';
export { loadScenario } from '../scenario/index.ts';
