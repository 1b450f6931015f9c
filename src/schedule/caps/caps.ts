import type { Clock, Micros } from '../../base/index.ts';
import type { CapName } from '../../history/index.ts';
import type { Scenario } from '../../scenario/index.ts';
import { sharedRateSlots } from '../shared/rate.ts';
import type { RunShares } from '../shared/shares.ts';
import { SharedSlots } from '../shared/slots.ts';
import { PendingRequests } from './pending.ts';
import { BoundedRate, oneAtATime, type RateSlots, unlimitedRate } from './rate-slots.ts';
import { type Slots, slotsOf } from './slots.ts';

/** At most `max` requests in any window, within one thread. @param max absent: unlimited */
export const rateSlots = (clock: Clock, max: number | undefined, windowUs: Micros): RateSlots =>
  max === undefined
    ? unlimitedRate
    : new BoundedRate([], { first: oneAtATime(), wanted: new Int32Array(1) }, clock, max, windowUs);

/** A full cap, by its name in `drop` records. */
export type FullCap = 'max-in-flight' | 'cap';

/**
 * The client-side caps of a run. They are taken in this order: open turn → requests per minute → in flight (→ connection, in the
 * transport). No request waits for an earlier one while it holds a later one, so there is no deadlock.
 */
export interface Caps {
  readonly openTurns: Slots;
  readonly requestsPerMinute: RateSlots;
  readonly inFlight: Slots;
  /** Requests that hold no slot yet, of all workers. */
  readonly pending: PendingRequests;
  /** The cap that an arrival would have to wait for now; undefined if none. Pending requests count too. */
  fullCap(): FullCap | undefined;
  /** To be awaited before a worker ends, so that slots of waiters that gave up are passed on. Resolves at once if the signal is aborted. */
  settled(signal: AbortSignal): Promise<void>;
}

/**
 * A request that travels faster than the one a window before it would arrive inside the service's window; so the cap's window is
 * longer by this, µs.
 */
const TRANSIT_MARGIN_US = 20_000;

/** @param shares set if other workers share the caps */
export function capsOf(caps: Scenario['caps'], clock: Clock, serviceRate: number, shares?: RunShares): Caps {
  // A minute of the service's clock, on the run's.
  const minuteUs = (Math.ceil(60_000_000 / serviceRate) + TRANSIT_MARGIN_US) as Micros;
  const openTurns = slotsAmong(caps.openTurns, shares?.openTurns);
  const inFlight = slotsAmong(caps.inFlight, shares?.inFlight);
  const requestsPerMinute =
    shares?.requestsPerMinute && caps.requestsPerMinute !== undefined
      ? sharedRateSlots(shares.requestsPerMinute, clock, caps.requestsPerMinute, minuteUs)
      : rateSlots(clock, caps.requestsPerMinute, minuteUs);
  const pending = new PendingRequests(shares?.pending);
  const hasFull = () =>
    openTurns.full(pending.to('openTurns')) || requestsPerMinute.full(pending.to('requestsPerMinute'));
  // A request that waits for an earlier cap is also pending for an in-flight slot: then the in-flight cap is reported as full.
  const fullCap = () => {
    if (inFlight.full()) return 'max-in-flight';
    if (hasFull()) return 'cap';
    return inFlight.full(pending.to('inFlight')) ? 'max-in-flight' : undefined;
  };
  return {
    openTurns,
    requestsPerMinute,
    inFlight,
    pending,
    fullCap,
    async settled(signal) {
      await Promise.all([openTurns, requestsPerMinute, inFlight].map((slots) => slots.settled?.(signal)));
    },
  };
}

const slotsAmong = (count: number | undefined, memory: SharedArrayBuffer | undefined): Slots =>
  count === undefined || !memory ? slotsOf(count) : new SharedSlots(new Int32Array(memory), count);

/** Waits of one exchange, by cap; only caps that made it wait. */
export type Waits = Partial<Record<CapName, Micros>>;

/** Shorter waits, µs, are not recorded, because even taking a free slot costs a promise or two. */
export const SHORTEST_WAIT_US = 200;

/** Measures a wait. A free cap adds nothing, so that the microseconds of a promise are never recorded as waiting. */
export async function measuringWait<T>(
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
  if (waited >= SHORTEST_WAIT_US) waits[cap] = ((waits[cap] ?? 0) + waited) as Micros;
  return result;
}
