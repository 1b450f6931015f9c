import { type Scenario, type ScenarioInput, ScenarioSchema } from '../scenario/index.ts';
import { compilePlan } from './index.ts';

export const step = [{ issueToken: {} }];
const scenarioOf = (rest: Partial<ScenarioInput>): Scenario =>
  ScenarioSchema.parse({ name: 'plan', journeys: { a: { steps: step } }, ...rest });
export const planOf = (rest: Partial<ScenarioInput>) => compilePlan(scenarioOf(rest));
export const listed = (rest: Partial<ScenarioInput>) => [...planOf(rest).arrivals()];
