/**
 * limiters/ holds the algorithms by which the sandbox admits and refuses, one file each, all behind one interface and all
 * tried by one exam. They know keys, instants and units.
 * They must not know requests, turns or HTTP, and nothing of check/: a judge that shares code with the judged shares its mistakes.
 */
export { dayCounter } from './day-counter.ts';
export { fixedWindow } from './fixed-window.ts';
export { type Decision, decide, type Limiter } from './limiter.ts';
export { semaphore } from './semaphore.ts';
