/**
 * defects/ holds the defects that the service can have, each taken from a real limiter or API. A defect is a small wrapper around
 * the correct limiter, rule, store, handler or answer. If none is chosen, the correct objects are used unchanged. Defects know the
 * internals of the sandbox; correct code does not know them, except where the core is created.
 * They must not know HTTP or the wall clock: races are simulated as a delay in service time, so they are repeatable.
 */
export { type Assumed, assumedBy, withAssumptions } from './assume.ts';
export { breakageOf } from './breakage.ts';
export { problemsWith, problemWith } from './choice.ts';
export type { Breakage } from './defect.ts';
export { type DefectDescription, defectDescriptions, describeDefects, sentencesOf } from './help.ts';
