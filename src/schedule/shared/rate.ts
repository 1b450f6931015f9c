import type { Clock, Micros } from '../../base/index.ts';
import { type RateSlots, rateSlotsIn } from '../rate-slots.ts';
import { type SharedSlots, SLOT_CELLS, sharedSlots } from './slots.ts';

/** Bytes that the rate slots of `max` a window take in shared memory: who may grant, and the instants of `rateSlotsIn`. */
export const rateBytes = (max: number): number => INSTANTS_AT + (max + 1) * Float64Array.BYTES_PER_ELEMENT;

/** A multiple of eight, as instants need it. */
const INSTANTS_AT = SLOT_CELLS * Int32Array.BYTES_PER_ELEMENT;

/**
 * At most `max` requests in any `windowUs` over several threads.
 * @param memory `rateBytes(max)` of it, the same in every thread, zero at first; the threads' clocks have one zero
 */
export function sharedRateSlots(
  memory: SharedArrayBuffer,
  clock: Clock,
  max: number,
  windowUs: Micros,
): RateSlots & Pick<SharedSlots, 'settled'> {
  const first = sharedSlots(new Int32Array(memory, 0, SLOT_CELLS), 1);
  const slots = rateSlotsIn(new Float64Array(memory, INSTANTS_AT, max + 1), first, clock, max, windowUs);
  return Object.assign(slots, { settled: (signal: AbortSignal) => first.settled(signal) });
}
