/**
 * faults/ injects faults into requests and answers: one file per fault, each a pure function around the decision. A fault says
 * whether the request is decided and how the answer is delivered; the shell delivers it.
 * It must not know sockets, timers or the wall clock, nor change behaviour if no fault is configured.
 */
export { describeFaults } from './help.ts';
export { createInjector } from './injector.ts';
export { problemOfFault } from './rule.ts';
