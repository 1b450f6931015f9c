import type { ScenarioInput } from './scenario-input.ts';

/**
 * Types a TypeScript scenario: `export default scenario({ … })`. Returns its argument; loading validates it.
 */
export function scenario(definition: ScenarioInput): ScenarioInput {
  return definition;
}
