/** Findings beside the limits: each record is examined once, and all kinds of findings share what was collected. */
export { listFindings } from './list.ts';
export { LookGatherer } from './look.ts';
export { findingKinds } from './registry.ts';
