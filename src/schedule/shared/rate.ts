import type { Clock, Micros } from '../../base/index.ts';
import { BoundedRate } from '../rate-slots.ts';
import { SLOT_CELLS, sharedSlots } from './slots.ts';

/** Bytes that the rate slots of `max` a window take in shared memory: who may grant, and the instants of `BoundedRate`. */
export const rateBytes = (max: number): number => INSTANTS_AT + (max + 1) * Float64Array.BYTES_PER_ELEMENT;

/** A multiple of eight, as instants need it. */
const INSTANTS_AT = SLOT_CELLS * Int32Array.BYTES_PER_ELEMENT;

/**
 * At most `max` requests in any `windowUs` over several threads.
 * @param memory `rateBytes(max)` of it, the same in every thread, zero at first; the threads' clocks have one zero
 */
export function sharedRateSlots(memory: SharedArrayBuffer, clock: Clock, max: number, windowUs: Micros): BoundedRate {
  const first = sharedSlots(new Int32Array(memory, 0, SLOT_CELLS), 1);
  return new BoundedRate(new Float64Array(memory, INSTANTS_AT, max + 1), first, clock, max, windowUs);
}
