/**
 * shell/ puts the sandbox's core on the network: Fastify for HTTP, ws for the streams, the service's clock, random
 * identifiers, the control plane, and the entry of a process of its own (process.ts).
 * It is the only part of the sandbox that may touch sockets, timers, the wall clock and true randomness; it decides nothing
 * that the core decides.
 */
export type { ClockMapping } from './clock.ts';
export type { RunningSandbox } from './start.ts';
export { startWarm } from './warm-up.ts';
