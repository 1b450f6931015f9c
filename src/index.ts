/** The exports of `import … from 'spillway'`: the typed form of a scenario file. */
export { type ScenarioInput, scenario } from './scenario/index.ts';
