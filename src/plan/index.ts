/**
 * plan/ computes, before anything is sent, which journeys start and when: a pure function of the scenario and its seed. It compiles
 * load models to arrivals and computes the length of phases. It must not know a clock, a socket or a journal, so that a plan can
 * be printed, rehearsed in virtual time, and tested as a table.
 */
export type { Arrival } from './arrivals.ts';
export { compilePlan, type Plan } from './compile.ts';
export { arrivalOfLoop, goesOn, type Loop, type Stock } from './loops.ts';
export type { Segment } from './segment.ts';
export type { PlannedPhase } from './sources.ts';
export { allStagesOf, MOST_STAGES, type Stage, stagesOf } from './stages.ts';
