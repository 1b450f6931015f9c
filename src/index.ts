/** What `import … from 'spillway'` gives: the typed form of a scenario file. */
export { type ScenarioInput, scenario } from './scenario/index.ts';
