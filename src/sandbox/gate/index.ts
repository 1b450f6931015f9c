/**
 * gate/ puts the limits together: whose units a request takes of which limit, in which order the limits are asked, and which
 * requests count. It knows operations and callers as far as they name units.
 * It must not know HTTP, the store or turns: what a request turned out to be, it is told.
 */
export { createGate, type Gate, type LimitChange, openGate, type SavedLimits } from './gate.ts';
export type { Passage, Refused, RequestKind, Standing } from './passage.ts';
export { type Rule, rateLimiter } from './rule.ts';
export type { Subject } from './subject.ts';
