/** The exports of `import … from 'spillway'`: the typed form of a scenario file. */
export { scenario } from './scenario/published/scenario.ts';
export type { ScenarioInput } from './scenario/published/scenario-input.ts';
