import type { Micros } from '../../base/index.ts';
import type { DropRecord, JourneyRecord } from '../../history/index.ts';
import type { Arrival } from '../../plan/index.ts';
import type { Caps } from '../caps/caps.ts';
import { LATE_US, type Passage } from '../caps/ceilings.ts';
import type { Drops } from '../drops.ts';
import type { World } from '../world.ts';
import { type Admission, fullCapOf, type JourneyState, type StepEnd, type StopSignals } from './journey-state.ts';
import { runSteps } from './run-steps.ts';

/** What journeys of one run share. */
export interface JourneyContext {
  readonly world: World;
  readonly caps: Caps;
  readonly stop: StopSignals;
  readonly nextSeq: () => number;
  readonly drops: Drops;
  /** Counts journeys that ended with their record. */
  readonly ended: { journeys: number };
}

/** What the start of the same user's next journey depends on. */
export interface JourneyEnd {
  readonly startedAt: Micros;
  readonly endedAt: Micros;
  readonly hasSent: boolean;
  /** Whether a request could not be sent because the service gave no token. */
  readonly lacksToken: boolean;
}

/**
 * Runs a journey from its arrival to its end and records how it ended. If it has sent nothing, because the run stopped before or
 * its user got no token, records its arrival as dropped instead.
 * @param passage for an arrival of an open model: whether `noCatchUp` holds it. Absent: a journey of a closed model's user
 */
export async function runJourney(context: JourneyContext, arrival: Arrival, passage?: Passage): Promise<JourneyEnd> {
  const { world, drops } = context;
  const cameAt = world.clock.now();
  const isHeld = passage?.kind === 'held';
  const dropped = isHeld ? await hold(context, passage) : undefined;
  const startedAt = isHeld ? world.clock.now() : cameAt;
  if (dropped !== undefined) {
    drops.drop(arrival, dropped);
    return { startedAt, endedAt: startedAt, hasSent: false, lacksToken: false };
  }
  const heldUs = isHeld ? ((startedAt - cameAt) as Micros) : undefined;
  const isOpen = passage !== undefined;
  const state = stateOf(context, arrival, heldUs, isOpen && dropsWhenFull(world) ? 'undecided' : 'granted');
  const end = await new Promise<StepEnd>((ended, failed) => runSteps(state, state.journey.steps, { ended, failed }));
  for (const turn of state.turns) turn.finished();
  const { hasSent, lacksToken } = state;
  const endedAt = world.clock.now();
  const unsent = hasSent ? undefined : whyUnsent(state, end, cameAt, endedAt);
  if (unsent === undefined) {
    context.ended.journeys++;
    world.record(journeyRecord(arrival, startedAt, endedAt, end));
  } else drops.drop(arrival, unsent);
  return { startedAt, endedAt, hasSent, lacksToken };
}

function stateOf(
  { world, caps, stop, nextSeq }: JourneyContext,
  arrival: Arrival,
  heldUs: Micros | undefined,
  admission: Admission,
): JourneyState {
  const journey = world.loaded.scenario.journeys[arrival.journey];
  const user = world.participants.users[arrival.user];
  if (!journey || !user)
    throw new Error(`arrival ${arrival.index} names the unknown journey ${arrival.journey} or user ${arrival.user}`);
  return {
    world,
    caps,
    stop,
    nextSeq,
    arrival,
    journey,
    user,
    heldUs,
    hasSent: false,
    cursor: arrival.intendedAt,
    step: -1,
    iteration: undefined,
    conversation: undefined,
    conversations: [],
    turns: [],
    forgetAt: 0,
    lastMessage: undefined,
    answer: undefined,
    captured: {},
    lacksToken: false,
    admission,
  };
}

const dropsWhenFull = ({ loaded }: World): boolean => loaded.scenario.caps.whenFull === 'drop';

/** Why a journey that has sent nothing counts as dropped; undefined: it had nothing to send. */
function whyUnsent(
  state: JourneyState,
  end: StepEnd,
  cameAt: Micros,
  endedAt: Micros,
): DropRecord['reason'] | undefined {
  // It waited for a token request of another journey of its user, which failed, so it has no exchange of its own.
  if (state.lacksToken) return 'no-token';
  if (end.kind !== 'interrupted') return undefined;
  // A late start is the generator's fault, but not if it then waited longer than it was late: it would have waited anyway.
  const lateUs = cameAt - state.arrival.intendedAt;
  const isLate = lateUs >= LATE_US && lateUs >= endedAt - cameAt;
  return fullCapOf(state) ?? (isLate ? 'late' : 'stopped');
}

/** Waits until it may start, or the run stops. @returns why it is dropped instead: it is too late by then, or a cap is full */
async function hold(
  { world, stop, caps }: JourneyContext,
  passage: Passage,
): Promise<DropRecord['reason'] | undefined> {
  let now = passage;
  while (now.kind === 'held') {
    await world.clock.sleepUntil(now.at, stop.finish);
    if (stop.finish.aborted) return undefined;
    const full = dropsWhenFull(world) ? caps.fullCap() : undefined;
    if (full !== undefined) {
      now.leave();
      return full;
    }
    now = now.again(world.clock.now());
  }
  return now.kind === 'late' ? 'late' : undefined;
}

function journeyRecord(
  { index, journey, intendedAt }: Arrival,
  startedAt: Micros,
  endedAt: Micros,
  end: StepEnd,
): JourneyRecord {
  const outcome = end.kind === 'next' ? 'completed' : end.kind === 'stop' ? 'stopped' : 'interrupted';
  const record = { kind: 'journey', arrival: index, journey, intendedAt, startedAt, endedAt, outcome } as const;
  return end.kind === 'stop' ? { ...record, stoppedAt: { operation: end.operation, because: end.because } } : record;
}
