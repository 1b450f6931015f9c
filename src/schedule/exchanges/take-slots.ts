import { measuringWait, type Waits } from '../caps/caps.ts';
import type { Slotted } from '../caps/pending.ts';
import { noRateSlot, type RateSlot } from '../caps/rate-slots.ts';
import { nothingTaken, type Release } from '../caps/slots.ts';
import { type JourneyState, waitSignal } from '../journeys/journey-state.ts';
import type { Request } from './request.ts';

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
const cappedBy = (journey: JourneyState, request: Request): readonly Slotted[] => [
  ...(request.opensTurn ? (['openTurns'] as const) : []),
  ...(countsTowardsRate(journey, request) ? (['requestsPerMinute'] as const) : []),
  'inFlight',
];

/**
 * Takes the slots one after another, in the order that cannot deadlock; each wait is recorded. `undefined`: the run stopped meanwhile;
 * then no cap makes anyone wait.
 */
export async function takeSlots(
  journey: JourneyState,
  request: Request,
  waits: Waits,
): Promise<TakenSlots | undefined> {
  const { caps, world, stop } = journey;
  const signal = waitSignal(stop, request);
  for (const cap of cappedBy(journey, request)) caps.pending.change(cap, 1);
  const take = <S>(cap: Slotted, slots: CapOf<S>): Promise<S | undefined> => {
    caps.pending.change(cap, -1);
    return measuringWait(world.clock, waits, cap, slots, () => slots.take(signal));
  };
  const openTurn = request.opensTurn ? await take('openTurns', caps.openTurns) : nothingTaken;
  const rateSlot = countsTowardsRate(journey, request)
    ? await take('requestsPerMinute', caps.requestsPerMinute)
    : noRateSlot;
  const inFlight = await take('inFlight', caps.inFlight);
  const release = () => {
    inFlight?.();
    rateSlot?.giveBack();
    openTurn?.();
  };
  if (openTurn && rateSlot && inFlight) return { rateSlot, inFlight, openTurn, release };
  release();
  return undefined;
}

interface CapOf<S> {
  full(): boolean;
  take(signal: AbortSignal): Promise<S | undefined>;
}
