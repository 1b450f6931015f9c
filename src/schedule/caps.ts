import pLimit from 'p-limit';
import { type Clock, type Micros, onAbort } from '../base/index.ts';
import type { CapName } from '../history/index.ts';
import type { Scenario } from '../scenario/index.ts';
import { Coming } from './coming.ts';
import { BoundedRate, oneAtATime, type RateSlots, unlimitedRate } from './rate-slots.ts';
import { sharedRateSlots } from './shared/rate.ts';
import type { RunShares } from './shared/shares.ts';
import { sharedSlots } from './shared/slots.ts';

/*
 * Client-side ceilings. Order of taking: open turn → requests per minute → in flight (→ connection, in the transport);
 * none is waited for while a later one is held, so waiting cannot go round in a circle.
 */

export type Release = () => void;

/** A ceiling with a queue; first come, first served. */
export interface Slots {
  /** Resolves with the function that gives the slot back; with undefined when the signal was aborted first. */
  take(signal: AbortSignal): Promise<Release | undefined>;
  /** Whether the next to come has to wait, behind so many others who are still on their way; default 0. */
  full(others?: number): boolean;
  /** Nobody ever waits: taking a slot may be left out. */
  readonly isUnlimited: boolean;
  /** Resolves when other workers wait for nothing of this one's any more; absent where there are none. */
  settled?(signal: AbortSignal): Promise<void>;
}

/**
 * `count` slots on p-limit. A slot is a task of p-limit that lasts until it is given back; without a count nothing is
 * called and nothing waits (3 µs a call otherwise, design.md section 8).
 */
export function slotsOf(count: number | undefined): Slots {
  if (count === undefined) return { take: async () => () => undefined, full: () => false, isUnlimited: true };
  const limit = pLimit(count);
  // Held or waited for. p-limit counts a slot until some microtasks after it was given back, and whoever takes it in the turn in
  // which it was would seem to have waited.
  let wanted = 0;
  return {
    isUnlimited: false,
    take: (signal) =>
      new Promise((granted) => {
        if (signal.aborted) return granted(undefined);
        wanted += 1;
        const leave = once(() => {
          wanted -= 1;
        });
        const forget = onAbort(signal, () => {
          leave();
          granted(undefined);
        });
        void limit(
          () =>
            new Promise<void>((release) => {
              forget();
              const giveBack = () => {
                leave();
                release();
              };
              // A waiter that gave up still reaches the head of the queue; its turn passes on at once.
              if (signal.aborted) giveBack();
              else granted(giveBack);
            }),
        );
      }),
    full: (others = 0) => wanted + others >= count,
  };
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

export const rateSlots = (clock: Clock, max: number | undefined, windowUs: Micros): RateSlots =>
  max === undefined ? unlimitedRate : new BoundedRate([], oneAtATime(), clock, max, windowUs);

/** A cap that is full, as drops name it. */
export type FullCap = 'max-in-flight' | 'cap';

/** The caps of a run. */
export interface Caps {
  readonly openTurns: Slots;
  readonly requestsPerMinute: RateSlots;
  readonly inFlight: Slots;
  /** Requests that hold no slot yet, of all workers. */
  readonly coming: Coming;
  /** Whether an arrival would have to wait now, and for what: behind those too that are on their way to their slots. */
  fullCap(): FullCap | undefined;
  /** To be waited for before a worker ends: turns of waiters that gave up must be passed on. At once when the signal is aborted. */
  settled(signal: AbortSignal): Promise<void>;
}

/**
 * A request that travels faster than the one a window before it would arrive inside the service's window; this much more
 * than a window lies between the two.
 */
const TRANSIT_MARGIN_US = 20_000;

/** @param shares where other workers keep to the same caps */
export function capsOf(caps: Scenario['caps'], clock: Clock, serviceRate: number, shares?: RunShares): Caps {
  // A minute of the service's clock, on the run's.
  const minuteUs = (Math.ceil(60_000_000 / serviceRate) + TRANSIT_MARGIN_US) as Micros;
  const openTurns = slotsAmong(caps.openTurns, shares?.openTurns);
  const inFlight = slotsAmong(caps.inFlight, shares?.inFlight);
  const requestsPerMinute =
    shares?.requestsPerMinute && caps.requestsPerMinute !== undefined
      ? sharedRateSlots(shares.requestsPerMinute, clock, caps.requestsPerMinute, minuteUs)
      : rateSlots(clock, caps.requestsPerMinute, minuteUs);
  const coming = new Coming(shares?.coming);
  const hasFull = () =>
    openTurns.full(coming.to('openTurns')) || requestsPerMinute.full(coming.to('requestsPerMinute'));
  // Who waits for a cap before is on its way to a slot in flight, too: then that cap is what is full.
  const fullCap = () => {
    if (inFlight.full()) return 'max-in-flight';
    if (hasFull()) return 'cap';
    return inFlight.full(coming.to('inFlight')) ? 'max-in-flight' : undefined;
  };
  return {
    openTurns,
    requestsPerMinute,
    inFlight,
    coming,
    fullCap,
    async settled(signal) {
      await Promise.all([openTurns, requestsPerMinute, inFlight].map((slots) => slots.settled?.(signal)));
    },
  };
}

const slotsAmong = (count: number | undefined, memory: SharedArrayBuffer | undefined): Slots =>
  count === undefined || !memory ? slotsOf(count) : sharedSlots(new Int32Array(memory), count);

/** Waits of one exchange, per cap; only caps that made it wait. */
export type Waits = Partial<Record<CapName, Micros>>;

/** What is free still costs a promise or two; below this, that is all it was. */
export const NOISE_US = 200;

/** Measures a wait. A cap that was free adds nothing, so that the microseconds of a promise never read as waiting. */
export async function stamped<T>(
  clock: Clock,
  waits: Waits,
  cap: CapName,
  slots: Pick<Slots, 'full'>,
  wait: () => Promise<T>,
): Promise<T> {
  if (!slots.full()) return wait();
  const from = clock.now();
  const result = await wait();
  const waited = clock.now() - from;
  if (waited >= NOISE_US) waits[cap] = ((waits[cap] ?? 0) + waited) as Micros;
  return result;
}
