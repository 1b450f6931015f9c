import type { Micros } from '../../base/index.ts';
import { SHORTEST_WAIT_US, type Waits } from '../caps/caps.ts';
import { noRateSlot, type RateSlot } from '../caps/rate-slots.ts';
import { nothingTaken, type Release } from '../caps/slots.ts';
import { fullCapOf, type JourneyState, waitSignal } from '../journeys/journey-state.ts';
import type { Lease, Sender } from '../world.ts';
import { type Access, accessAtHand, authorize, type Issue, renewed } from './access.ts';
import type { NotSent } from './attempt.ts';
import type { Request } from './request.ts';
import { countsTowardsRate, type TakenSlots, takeSlots } from './take-slots.ts';

/** Everything that a request needs to be sent at once, without further waiting. */
export interface Entered<L> {
  readonly kind: 'entered';
  readonly access: Access;
  readonly waits: Waits;
  readonly lease: L;
  /** Must be notified immediately before the request is sent. */
  readonly rateSlot: RateSlot;
  /** Gives the in-flight slot back; to be called with the reply. */
  readonly inFlight: Release;
  /** Gives the open turn's slot back; does nothing if none was taken. */
  readonly openTurn: Release;
}

interface Leased {
  release(): void;
}

/** Like `enter`, but without promises, for a request that needs no waiting and no cap. `undefined`: use `enter`. */
export function enterAtOnce(journey: JourneyState, request: Request): Entered<Lease> | undefined {
  if (journey.admission !== 'granted') return undefined;
  if (!isUncapped(journey, request) || waitSignal(journey.stop, request).aborted) return undefined;
  const access = accessAtHand(journey, request);
  const lease = access && journey.world.sender.tryAcquire();
  return lease && entered(access, NO_WAITS, lease, NO_SLOTS);
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

type Slots = Omit<TakenSlots, 'release'>;

const NO_SLOTS: Slots = { rateSlot: noRateSlot, inFlight: nothingTaken, openTurn: nothingTaken };

const entered = <L>(access: Access, waits: Waits, lease: L, slots: Slots): Entered<L> => ({
  kind: 'entered',
  access,
  waits,
  lease,
  rateSlot: slots.rateSlot,
  inFlight: slots.inFlight,
  openTurn: slots.openTurn,
});

/** A request that may have to wait for what it needs, and how it gets a token and a connection. */
interface Entering<L> {
  readonly journey: JourneyState;
  readonly request: Request;
  readonly issue: Issue;
  readonly acquire: (sender: Sender, signal: AbortSignal) => Promise<L | undefined>;
}

/** Takes token, slots and connection in the order that cannot deadlock; every wait is recorded. */
export async function enter<L extends Leased>(entering: Entering<L>): Promise<Entered<L> | NotSent> {
  const { journey, request } = entering;
  if (fullCapOf(journey) !== undefined) return INTERRUPTED;
  const waits: Waits = {};
  // With more users than connections, most requests wait only for a connection. This path needs few promises.
  const atHand = isUncapped(journey, request) ? accessAtHand(journey, request) : undefined;
  if (!atHand) return enterInTurn(entering, waits);
  if (!isAdmitted(journey)) return INTERRUPTED;
  const lease = await takeLease(entering, waits);
  if (!lease) return INTERRUPTED;
  // A token that is due for renewal is still valid: a request that has waited already does not wait again to renew it.
  const access = renewed(journey, atHand, request);
  if (access) return entered(access, waits, lease, NO_SLOTS);
  lease.release();
  return enterInTurn(entering, waits, journey.world.clock.now());
}

/** @param endedAt when the request's token ended while it waited; absent: it had none */
async function enterInTurn<L extends Leased>(
  entering: Entering<L>,
  waits: Waits,
  endedAt?: Micros,
): Promise<Entered<L> | NotSent> {
  const { journey, request } = entering;
  // The next token was not needed before the last one expired.
  let neededAt = endedAt;
  for (let unused = endedAt === undefined ? 0 : 1; unused < MOST_UNUSED; unused++) {
    // A request that waits for a token does not count as pending: one hanging token request must not make the caps look full.
    const access = accessAtHand(journey, request) ?? (await takeAccess(entering, waits, neededAt));
    if (access.kind !== 'access') return access;
    if (!isAdmitted(journey)) return INTERRUPTED;
    const slots = await takeSlots(journey, request, waits);
    const lease = slots && (await takeLease(entering, waits));
    if (!slots || !lease) {
      slots?.release();
      return INTERRUPTED;
    }
    const current = renewed(journey, access, request);
    const isAffordable = current === undefined || journey.world.budget?.take(request.operation) !== false;
    if (current && isAffordable) return entered(current, waits, lease, slots);
    lease.release();
    slots.release();
    if (!isAffordable) return INTERRUPTED;
    // The token expired while this request waited: its slots and connection are given back before a new token is requested.
    neededAt = journey.world.clock.now();
  }
  journey.lacksToken = true;
  return { kind: 'no-token', because: 'tokens end before they can be used' };
}

const INTERRUPTED: NotSent = { kind: 'interrupted' };

/** A request is given up after this many tokens expired while it waited; otherwise it could request tokens for ever. */
const MOST_UNUSED = 5;

/**
 * Decides with `whenFull: drop`, at a journey's first request, whether the journey is sent. A cap that was free at the arrival may
 * be full now, if the request first had to wait for a token or a pause.
 */
function isAdmitted(journey: JourneyState): boolean {
  if (journey.admission === 'undecided') journey.admission = journey.caps.fullCap() ?? 'granted';
  return journey.admission === 'granted';
}

async function takeAccess<L>(
  { journey, request, issue }: Entering<L>,
  waits: Waits,
  neededAt: Micros | undefined,
): Promise<Access | NotSent> {
  const { clock } = journey.world;
  const began = clock.now();
  const access = await authorize(journey, request, () => issue(neededAt));
  const took = clock.now() - began;
  // Waiting for another request's token request counts too.
  if (took >= SHORTEST_WAIT_US) waits.token = ((waits.token ?? 0) + took) as Micros;
  return access;
}

async function takeLease<L extends Leased>(
  { journey, request, acquire }: Entering<L>,
  waits: Waits,
): Promise<L | undefined> {
  const { world } = journey;
  const from = world.clock.now();
  const signal = waitSignal(journey.stop, request);
  const lease = await acquire(world.sender, signal);
  // The run was stopped in the same turn of the event loop in which the connection became available.
  if (signal.aborted) lease?.release();
  if (signal.aborted || lease === undefined) return undefined;
  const waited = world.clock.now() - from;
  if (waited >= SHORTEST_WAIT_US) waits.connection = ((waits.connection ?? 0) + waited) as Micros;
  return lease;
}
