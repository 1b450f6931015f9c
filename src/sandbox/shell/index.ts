/**
 * shell/ puts the sandbox's core on the network: HTTP with Fastify, streams with ws, the service's clock, random identifiers, the
 * control plane, and the entry point of the sandbox process (process.ts).
 * It is the only part of the sandbox that may use sockets, timers, the wall clock and true randomness. Decisions belong to the core.
 */
export type { ClockMapping } from './clock.ts';
export type { RunningSandbox } from './start.ts';
export { startWarm } from './warm-up.ts';
