/**
 * limiters/ holds the limiter algorithms of the sandbox: one file for each way to count, behind one interface, tested by one exam. They know keys,
 * instants, units and, for days, time zones. Their state is plain data.
 * They must not know requests, turns or HTTP, nor use check/: a judge that shares code with the limiters would share their bugs.
 */
export { dayOfTokenTimezone } from './day-token-timezone.ts';
export { dayFromFirstUse, rollingDay, utcDay } from './days.ts';
export { fixedWindow } from './fixed-window.ts';
export { fixedWindowWithBlock } from './fixed-window-block.ts';
export { fixedWindowFromFirst } from './fixed-window-first-request.ts';
export { gcra } from './gcra.ts';
export { leakyQueue } from './leaky-queue.ts';
export type { Ask, Decision, Limiter, SavedState, SavedStates } from './limiter.ts';
export { processingSlots } from './processing-slots.ts';
export { semaphore } from './semaphore.ts';
export { slidingCounter } from './sliding-counter.ts';
export { slidingLog } from './sliding-log.ts';
export { slidingLogOfAttempts } from './sliding-log-attempts.ts';
export { tokenBucket } from './token-bucket.ts';
export { tokenBucketPerTick, tokenBucketPerWindow } from './token-bucket-interval.ts';
