/**
 * plan/ decides, before anything is sent, what will be sent and when: a pure function of (scenario, seed). It compiles load
 * models to arrivals and knows how long the phases last.
 * It must not know a clock, a socket or a journal: a plan can be printed, rehearsed in virtual time, and tested as a table.
 */
export { type Arrival, arrivalOfLoop, compilePlan, type Loop, type Plan, type PlannedPhase } from './compile.ts';
