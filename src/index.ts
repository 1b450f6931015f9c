/** The exports of `import … from 'spillway'`: the typed form of a scenario file. */
export { scenario } from './scenario/scenario.ts';
export type { ScenarioInput } from './scenario/scenario-input.ts';
