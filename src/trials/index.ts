/**
 * trials/ tests the judge: correct services of every kind are simulated in virtual time under random traffic, networks, clocks and
 * faults, and none may be accused; services with each known defect run through every shipped scenario.
 * It may import everything, because it connects judge and sandbox, which do not know each other. Other rooms must not import it, and it
 * is not in the package.
 */
export { type Accusation, judgeHonest } from './honest/accusations.ts';
export type { Tally, Tried } from './honest/tally.ts';
export { tryHonest, tryMany } from './honest/try.ts';
export { play } from './stage/play.ts';
export { type World, worldOf } from './world/world.ts';
