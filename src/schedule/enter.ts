import type { Micros } from '../base/index.ts';
import { type Access, accessAtHand, authorize, type Issue, renewed } from './access.ts';
import { NOISE_US, type Release, type Waits } from './caps.ts';
import { Approach } from './coming.ts';
import type { NotSent } from './exchange.ts';
import { type JourneyState, patience } from './journey-state.ts';
import { noRateSlot, type RateSlot } from './rate-slots.ts';
import type { Request } from './request.ts';
import { cappedBy, countsTowardsRate, takeSlots } from './take-slots.ts';
import type { Lease, Sender } from './world.ts';

/** Everything that a request needs to be sent at once: nothing is waited for any more. */
export interface Entered<L> {
  readonly kind: 'entered';
  readonly access: Access;
  readonly waits: Waits;
  readonly lease: L;
  /** To be told last thing before the request is sent. */
  readonly rateSlot: RateSlot;
  /** Gives the in-flight slot back; to be called with the reply. */
  readonly inFlight: Release;
  /** Gives the open turn's slot back; a no-op where none was taken. */
  readonly openTurn: Release;
}

interface Leased {
  release(): void;
}

/** As `enter`, where nothing has to be waited for and no cap to be kept: costs no promise. `undefined`: `enter` must see to it. */
export function enterAtOnce(journey: JourneyState, request: Request): Entered<Lease> | undefined {
  if (!isUncapped(journey, request) || patience(journey.stop, request).aborted) return undefined;
  const access = accessAtHand(journey, request);
  const lease = access && journey.world.sender.tryAcquire();
  return lease && uncapped(access, NO_WAITS, lease);
}

const NO_WAITS: Waits = {};

const isUncapped = (journey: JourneyState, request: Request): boolean => {
  const { inFlight, requestsPerMinute, openTurns } = journey.caps;
  return (
    inFlight.isUnlimited &&
    (requestsPerMinute.isUnlimited || !countsTowardsRate(journey, request)) &&
    (openTurns.isUnlimited || !request.opensTurn) &&
    journey.world.budget === undefined
  );
};

const uncapped = <L>(access: Access, waits: Waits, lease: L): Entered<L> => ({
  kind: 'entered',
  access,
  waits,
  lease,
  rateSlot: noRateSlot,
  inFlight: nothing,
  openTurn: nothing,
});

/** Takes token, slots and connection in the order that cannot deadlock; every wait is stamped. */
export async function enter<L extends Leased>(
  journey: JourneyState,
  request: Request,
  issue: Issue,
  acquire: (sender: Sender, signal: AbortSignal) => Promise<L | undefined>,
): Promise<Entered<L> | NotSent> {
  const waits: Waits = {};
  // Of a token that ended while the request waited: what issues the next one was not wanted before.
  let neededAt: Micros | undefined;
  // Where users are more than connections, most requests wait for one of these and for nothing else: that costs few promises.
  const atHand = isUncapped(journey, request) ? accessAtHand(journey, request) : undefined;
  if (atHand) {
    const lease = await takeLease(journey, request, waits, acquire);
    if (!lease) return { kind: 'interrupted' };
    // A token that is due to be renewed is good until it ends: who has waited this long does not wait again for its sake.
    const access = renewed(journey, atHand, request);
    if (access) return uncapped(access, waits, lease);
    lease.release();
    neededAt = journey.world.clock.now();
  }
  const approach = new Approach(journey.caps.coming, cappedBy(journey, request));
  for (;;) {
    // Who waits for a token can take no slot meanwhile: one whose call hangs must not make the caps look full.
    const isAtHand = accessAtHand(journey, request) !== undefined;
    if (isAtHand) approach.begin();
    const access = await takeAccess(journey, request, waits, () => issue(neededAt));
    if (access.kind !== 'access') {
      approach.withdraw();
      return access;
    }
    if (!isAtHand && isTurnedAway(journey)) return { kind: 'interrupted' };
    if (!isAtHand) approach.begin();
    const slots = await takeSlots(journey, request, waits, approach);
    const lease = slots && (await takeLease(journey, request, waits, acquire));
    if (!slots || !lease) {
      slots?.release();
      return { kind: 'interrupted' };
    }
    const current = renewed(journey, access, request);
    const isAffordable = current === undefined || journey.world.budget?.take(request.operation) !== false;
    if (current && isAffordable) {
      const { rateSlot, inFlight, openTurn } = slots;
      return { kind: 'entered', access: current, waits, lease, rateSlot, inFlight, openTurn };
    }
    lease.release();
    slots.release();
    if (!isAffordable) return { kind: 'interrupted' };
    // The token ended while this request waited: everything was given back before another one is asked for.
    neededAt = journey.world.clock.now();
  }
}

/** An arrival that found room and waited for its token may find none when it has it: then it is dropped, as it has sent nothing yet. */
function isTurnedAway(journey: JourneyState): boolean {
  if (journey.dropsWhenFull && !journey.hasSent) journey.foundFull = journey.caps.fullCap();
  return journey.foundFull !== undefined;
}

const nothing: Release = () => undefined;

async function takeAccess(
  journey: JourneyState,
  request: Request,
  waits: Waits,
  issue: Issue,
): Promise<Access | NotSent> {
  const { clock } = journey.world;
  const began = clock.now();
  let issuing = false;
  const access = await authorize(journey, request, () => {
    issuing = true;
    return issue();
  });
  const took = clock.now() - began;
  // Somebody else's issuing call is waited for too; a token that is at hand costs a promise.
  if (issuing || took >= NOISE_US) waits.token = ((waits.token ?? 0) + took) as Micros;
  return access;
}

async function takeLease<L>(
  journey: JourneyState,
  request: Request,
  waits: Waits,
  acquire: (sender: Sender, signal: AbortSignal) => Promise<L | undefined>,
): Promise<L | undefined> {
  const { world } = journey;
  const from = world.clock.now();
  const lease = await acquire(world.sender, patience(journey.stop, request));
  const waited = world.clock.now() - from;
  if (lease !== undefined && waited >= NOISE_US) waits.connection = ((waits.connection ?? 0) + waited) as Micros;
  return lease;
}
