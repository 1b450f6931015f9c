/**
 * plan/ decides, before anything is sent, what will be sent and when: a pure function of (scenario, seed). It compiles load
 * models to arrivals and knows the length of the phases. It must not know a clock, a socket or a journal: so a plan can be
 * printed, rehearsed in virtual time, and tested as a table.
 */
export type { Arrival } from './arrivals.ts';
export { compilePlan, type Plan } from './compile.ts';
export { arrivalOfLoop, type Loop, type Stock } from './loops.ts';
export type { Segment } from './segment.ts';
export type { PlannedPhase } from './sources.ts';
export { allStagesOf, MOST_STAGES, type Stage, stagesOf } from './stages.ts';
