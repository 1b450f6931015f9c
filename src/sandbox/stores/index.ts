/**
 * stores/ implements the state of the service: in memory only, or in memory and in a file. Stores know tokens, conversations,
 * turns and their retention.
 * They must not know HTTP or the clock: every instant is passed in.
 */
export type { DurableStore } from './durable-store.ts';
export { LibsqlStore } from './libsql.ts';
export { MemoryStore } from './memory.ts';
export { WelcomingStore } from './welcoming.ts';
