import type { Micros } from '../base/index.ts';
import type { Arrival } from '../plan/index.ts';
import type { Step } from '../scenario/index.ts';
import type { Caps } from './caps.ts';
import { LATE_US } from './ceilings.ts';
import type { Drops } from './drops.ts';
import { interrupted, type JourneyState, next, type StepEnd, type StopSignals } from './journey-state.ts';
import { runStep } from './steps/index.ts';
import type { World } from './world.ts';

/** What journeys of one run share. */
export interface RunContext {
  readonly world: World;
  readonly caps: Caps;
  readonly stop: StopSignals;
  readonly nextSeq: () => number;
  readonly drops: Drops;
  /** Counts journeys that ended with their record. */
  readonly ended: { journeys: number };
}

/** What the next journey of the same user has to know. */
export interface JourneyEnd {
  readonly startedAt: Micros;
  readonly hasSent: boolean;
  /** A request could not be sent, because the service gave no token. */
  readonly lacksToken: boolean;
}

/**
 * Walks one journey from its arrival to its end and records how it ended; or, where the run's end stopped it before it sent
 * anything, that its arrival was dropped.
 * @param startAt when it may start; later than now where a ceiling holds it back
 */
export async function runJourney(context: RunContext, arrival: Arrival, startAt?: Micros): Promise<JourneyEnd> {
  const { world, caps, stop, nextSeq } = context;
  const journey = world.loaded.scenario.journeys[arrival.journey];
  const user = world.participants.users[arrival.user];
  if (!journey || !user)
    throw new Error(`arrival ${arrival.index} names the unknown journey ${arrival.journey} or user ${arrival.user}`);
  const cameAt = world.clock.now();
  const isHeld = startAt !== undefined && startAt > cameAt;
  if (isHeld) await world.clock.sleepUntil(startAt, stop.finish);
  const startedAt = isHeld ? world.clock.now() : cameAt;
  const state: JourneyState = {
    world,
    caps,
    stop,
    nextSeq,
    arrival,
    journey,
    user,
    heldUs: isHeld ? ((startedAt - cameAt) as Micros) : undefined,
    hasSent: false,
    cursor: arrival.intendedAt,
    step: -1,
    iteration: undefined,
    conversations: [],
    turns: [],
    captured: {},
    lacksToken: false,
  };
  const end = await runSteps(state, journey.steps);
  for (const turn of state.turns) turn.finished();
  const { hasSent, lacksToken } = state;
  if (end.kind === 'interrupted' && !hasSent) {
    // What it waited for after it was started is no fault of the generator's; that it was started late is.
    const isLate = cameAt - arrival.intendedAt >= LATE_US;
    context.drops.drop(arrival, isLate ? 'late' : 'stopped');
    return { startedAt, hasSent, lacksToken };
  }
  context.ended.journeys++;
  world.record({
    kind: 'journey',
    arrival: arrival.index,
    journey: arrival.journey,
    startedAt,
    endedAt: world.clock.now(),
    outcome: end.kind === 'next' ? 'completed' : end.kind === 'stop' ? 'stopped' : 'interrupted',
    ...(end.kind === 'stop' && { stoppedAt: { operation: end.operation, because: end.because } }),
  });
  return { startedAt, hasSent, lacksToken };
}

/**
 * Runs steps in order. A finish signal ends the journey between two steps, but a turn that was accepted is still followed to
 * its end where that is the next step: its completion would be missing from the history.
 */
export async function runSteps(journey: JourneyState, steps: readonly Step[]): Promise<StepEnd> {
  for (const step of steps) {
    const end = await startStep(journey, step);
    if (end.kind !== 'next') return end;
  }
  return next;
}

/** The next step, unless the run is finishing. For loops that await it themselves: a promise more a step is felt. */
export function startStep(journey: JourneyState, step: Step): Promise<StepEnd> | StepEnd {
  if (journey.stop.finish.aborted && !followsOpenTurn(journey, step)) return interrupted;
  if (!('repeat' in step)) journey.step++;
  return runStep(journey, step);
}

const followsOpenTurn = ({ turns }: JourneyState, step: Step): boolean =>
  'followTurn' in step && turns.some(({ followed }) => !followed);
