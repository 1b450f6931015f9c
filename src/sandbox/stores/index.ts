/**
 * stores/ holds what the service remembers: in memory, or in memory and in a file that outlives the process. They know
 * tokens, conversations, turns and how long each is kept.
 * They must not know HTTP nor the clock: every instant is handed in.
 */
export type { DurableStore } from './durable-store.ts';
export { LibsqlStore } from './libsql.ts';
export { MemoryStore } from './memory.ts';
export { WelcomingStore } from './welcoming.ts';
