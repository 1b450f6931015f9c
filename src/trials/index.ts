/**
 * trials/ holds tests only: honest services of every kind, played in virtual time against random traffic, networks, clocks and
 * faults, none of which may ever be accused; and services with each known defect, run through every shipped scenario.
 * It knows everything, because it sets the judge against the judged, which know nothing of one another. Nothing may know it:
 * no room imports it, and it is not in the package.
 */
export { type Accusation, judgeHonest } from './honest/accusations.ts';
export type { Tally, Tried } from './honest/tally.ts';
export { tryHonest, tryMany } from './honest/try.ts';
export { play } from './stage/play.ts';
export { type World, worldOf } from './world/world.ts';
