/**
 * scenario/ knows scenarios: the schema of their files, loading (YAML, JSON, TypeScript, with profile and data), validation (all
 * problems together, each with its position and a remedy), the names in templates, and the expectations of steps. It must not know
 * when or how anything is sent, nor the results. schema/ and load-models/ say what a file may contain, reading/ finds and parses files,
 * validation/ explains mistakes, published/ writes the schema and the type for editors, real-time/ slows a scenario down.
 */
export { captureFrom } from './body-path.ts';
export { resolveCredentials } from './credentials.ts';
export { checkExpectations, type ExpectationResult, expectingJourneys } from './expectations.ts';
export { checkHeaders, type GatewayHeaders, resolveHeaders } from './gateway-headers.ts';
export { loadScenario } from './load.ts';
export type { Allowance, ClosedLoadModel, LoadModel } from './load-models/index.ts';
export type { LoadedScenario } from './loaded.ts';
export { namedUsers } from './named-users.ts';
export { allLoadModels, placedLoadModels, withLoadModels } from './placed-models.ts';
export type { ScenarioInput } from './published/scenario-input.ts';
export { inRealTime } from './real-time/in-real-time.ts';
export type { Expect } from './schema/expect.ts';
export { type FollowSettings, followedFor, longestInterval } from './schema/follow-settings.ts';
export { gatesNamed, knownTags } from './schema/gates.ts';
export { longestBackoff, type Policy } from './schema/policy.ts';
export { type Journey, type Scenario, ScenarioSchema } from './schema/schema.ts';
export {
  type BurstStep,
  type CreateConversationStep,
  type FollowTurnStep,
  type IssueTokenStep,
  type PauseStep,
  type RateAnswerStep,
  type ReadHistoryStep,
  type RepeatStep,
  type ResendStep,
  type SendMessageStep,
  type Step,
  type StepName,
  stepNameOf,
} from './schema/steps.ts';
export {
  type CompiledTemplate,
  compileTemplate,
  describeMissing,
  renderTemplate,
  type TemplateScope,
} from './template.ts';
export { askedTimezones, timezoneNotes } from './timezones.ts';
export { type Fault, itemsOf, suggestion, valueAt } from './validation/faults.ts';
