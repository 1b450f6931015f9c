import { measuringWait, type Waits } from './caps.ts';
import { type JourneyState, waitSignal } from './journey-state.ts';
import type { PendingRequest, Slotted } from './pending.ts';
import { noRateSlot, type RateSlot } from './rate-slots.ts';
import type { Request } from './request.ts';
import type { Release } from './slots.ts';

/** Slots of the caps that a request counts towards. */
export interface TakenSlots {
  readonly rateSlot: RateSlot;
  readonly inFlight: Release;
  /** Does nothing if none was taken. */
  readonly openTurn: Release;
  /** Gives all of them back, unused. */
  readonly release: Release;
}

export const countsTowardsRate = ({ world }: JourneyState, { operation }: Request): boolean =>
  world.profile.limits.rate.counts.includes(operation);

/** The caps whose slots a request takes. */
export const cappedBy = (journey: JourneyState, request: Request): readonly Slotted[] => [
  ...(request.opensTurn ? (['openTurns'] as const) : []),
  ...(countsTowardsRate(journey, request) ? (['requestsPerMinute'] as const) : []),
  'inFlight',
];

/** Takes the slots one after another, in the order that cannot deadlock; each wait is recorded. `undefined`: the run stopped meanwhile. */
export async function takeSlots(
  journey: JourneyState,
  request: Request,
  waits: Waits,
  pendingRequest: PendingRequest,
): Promise<TakenSlots | undefined> {
  const { caps, world, stop } = journey;
  const signal = waitSignal(stop, request);
  const take = <S>(cap: Slotted, slots: CapOf<S>): Promise<S | undefined> => {
    pendingRequest.reached(cap);
    return measuringWait(world.clock, waits, cap, slots, () => slots.take(signal));
  };
  const openTurn = request.opensTurn ? await take('openTurns', caps.openTurns) : nothing;
  const rateSlot = countsTowardsRate(journey, request)
    ? openTurn && (await take('requestsPerMinute', caps.requestsPerMinute))
    : noRateSlot;
  const inFlight = openTurn && rateSlot && (await take('inFlight', caps.inFlight));
  if (!openTurn || !rateSlot || !inFlight) {
    pendingRequest.withdraw();
    rateSlot?.giveBack();
    openTurn?.();
    return undefined;
  }
  const release = () => {
    inFlight();
    rateSlot.giveBack();
    openTurn();
  };
  return { rateSlot, inFlight, openTurn, release };
}

interface CapOf<S> {
  full(): boolean;
  take(signal: AbortSignal): Promise<S | undefined>;
}

const nothing: Release = () => undefined;
