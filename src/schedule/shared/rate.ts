import type { Clock, Micros } from '../../base/index.ts';
import { BoundedRate } from '../caps/rate-slots.ts';
import { SharedSlots, SLOT_CELLS } from './slots.ts';

/** Bytes of shared memory for the rate slots of `max` per window: the queue and the instants of `BoundedRate`. */
export const rateBytes = (max: number): number => INSTANTS_AT + (max + 1) * Float64Array.BYTES_PER_ELEMENT;

const WANTED_AT = SLOT_CELLS * Int32Array.BYTES_PER_ELEMENT;
/** A multiple of eight, as the instants require. */
const INSTANTS_AT = WANTED_AT + Float64Array.BYTES_PER_ELEMENT;

/**
 * At most `max` requests in any `windowUs` over several threads.
 * @param memory `rateBytes(max)` bytes, the same in every thread, initially zero; the threads' clocks have the same zero
 */
export function sharedRateSlots(memory: SharedArrayBuffer, clock: Clock, max: number, windowUs: Micros): BoundedRate {
  const first = new SharedSlots(new Int32Array(memory, 0, SLOT_CELLS), 1);
  const wanted = new Int32Array(memory, WANTED_AT, 1);
  return new BoundedRate(new Float64Array(memory, INSTANTS_AT, max + 1), { first, wanted }, clock, max, windowUs);
}
