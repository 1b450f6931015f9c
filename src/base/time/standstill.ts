/**
 * From this time on, µs, in which the event loop does not go round, the generator stood still: what arrives meanwhile waits, and what is
 * due leaves late. Shorter ones are the usual work of a turn, and the resolution of timers.
 */
export const STANDSTILL_US = 20_000;
