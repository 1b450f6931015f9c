/**
 * faults/ holds what can go wrong on the way of a request and of its answer: one file per fault, each a function around the
 * decision that is pure like the core. It says what is decided and how the answer travels; sending it so is the shell's.
 * It must not know sockets, timers or the wall clock, nor change what the honest code does when no fault is configured.
 */
export { describeFaults } from './help.ts';
export { createInjector, type Injector } from './injector.ts';
export { type FaultRule, parseFault } from './rule.ts';
