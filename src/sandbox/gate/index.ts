/**
 * gate/ combines the limits: by which key each limit counts a request, in which order the limits are checked, and which requests
 * count. It knows operations and callers only as far as keys depend on them.
 * It must not know HTTP, the store or turns: the caller tells it the kind of a request.
 */
export { createGate, type Gate, type LimitChange, openGate, type SavedLimits } from './gate.ts';
export type { Passage, Refused, RequestKind, Standing } from './passage.ts';
export { burstOf, quotaOf, slotsOf } from './quota.ts';
export { type Rule, rateLimiter } from './rule.ts';
export type { Subject } from './subject.ts';
