/**
 * defects/ holds what can be wrong with the service itself, each defect taken from a limiter or an API that had it: a small
 * wrapper around the honest limiter, rule, store, handler or answer. Without a chosen defect the honest objects are used as
 * they are. They know the sandbox's insides; no honest code knows them but where the core is put together.
 * They must not know HTTP or the wall clock: what races in the world is a lag of service time here, and so repeatable.
 */
export { type Assumed, assumedBy, withAssumptions } from './assume.ts';
export { breakageOf } from './breakage.ts';
export { problemsWith, problemWith } from './choice.ts';
export type { Breakage, Decide } from './defect.ts';
export { type DefectDescription, defectDescriptions, describeDefects, sentencesOf } from './help.ts';
