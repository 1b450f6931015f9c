import type { Clock, Micros } from '../../base/index.ts';
import type { RateSlots } from '../caps.ts';
import { type SharedSlots, SLOT_CELLS, sharedSlots } from './slots.ts';

/** Bytes that the rate slots of `max` a window take in shared memory: who may book, how many were booked, and the last `max` instants. */
export const rateBytes = (max: number): number => INSTANTS_AT + max * Float64Array.BYTES_PER_ELEMENT;

const BOOKED = SLOT_CELLS;
/** A multiple of eight, as instants need it. */
const INSTANTS_AT = 16;

/**
 * At most `max` takes in any `windowUs` over several threads: whoever is first waits until the oldest of the last `max` grants is
 * a window ago, books its instant and lets the next one come. So what gives up has booked nothing.
 * @param memory `rateBytes(max)` of it, the same in every thread, zero at first; the threads' clocks have one zero
 */
export function sharedRateSlots(
  memory: SharedArrayBuffer,
  clock: Clock,
  max: number,
  windowUs: Micros,
): RateSlots & Pick<SharedSlots, 'settled'> {
  const cells = new Int32Array(memory, 0, SLOT_CELLS + 1);
  const instants = new Float64Array(memory, INSTANTS_AT, max);
  const first = sharedSlots(cells, 1);
  /** Only to be believed by whoever is first, but for `full`, which is a guess at any time. */
  const earliest = (): Micros => {
    const booked = Atomics.load(cells, BOOKED);
    return (booked < max ? clock.now() : (instants[booked % max] ?? 0) + windowUs) as Micros;
  };
  return {
    isUnlimited: false,
    get full() {
      return first.full || earliest() > clock.now();
    },
    async take(signal) {
      const next = await first.take(signal);
      if (!next) return false;
      await clock.sleepUntil(earliest(), signal);
      const isGranted = !signal.aborted;
      if (isGranted) book(cells, instants, max, clock.now());
      next();
      return isGranted;
    },
    settled: (signal) => first.settled(signal),
  };
}

/** Stays within [max, 2 max) once the ring is full, so that it never runs over. */
function book(cells: Int32Array, instants: Float64Array, max: number, at: Micros): void {
  const booked = Atomics.load(cells, BOOKED);
  instants[booked % max] = at;
  Atomics.store(cells, BOOKED, booked + 1 === 2 * max ? max : booked + 1);
}
