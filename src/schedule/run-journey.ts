import type { Arrival } from '../plan/index.ts';
import type { Step } from '../scenario/index.ts';
import type { Caps } from './caps.ts';
import { interrupted, type JourneyState, next, type StepEnd, type StopSignals } from './journey-state.ts';
import { runStep } from './steps/index.ts';
import type { World } from './world.ts';

/** What journeys of one run share. */
export interface RunContext {
  readonly world: World;
  readonly caps: Caps;
  readonly stop: StopSignals;
  readonly nextSeq: () => number;
}

/** Walks one journey from its arrival to its end and records how it ended. */
export async function runJourney(context: RunContext, arrival: Arrival): Promise<StepEnd['kind']> {
  const { world } = context;
  const journey = world.loaded.scenario.journeys[arrival.journey];
  const user = world.participants.users[arrival.user];
  if (!journey || !user)
    throw new Error(`arrival ${arrival.index} names the unknown journey ${arrival.journey} or user ${arrival.user}`);
  const startedAt = world.clock.now();
  const { caps, stop, nextSeq } = context;
  const state: JourneyState = {
    world,
    caps,
    stop,
    nextSeq,
    arrival,
    journey,
    user,
    cursor: arrival.intendedAt,
    step: -1,
    iteration: undefined,
    conversations: [],
    turns: [],
    captured: {},
  };
  const end = await runSteps(state, journey.steps);
  for (const turn of state.turns) turn.finished();
  world.record({
    kind: 'journey',
    arrival: arrival.index,
    journey: arrival.journey,
    startedAt,
    endedAt: world.clock.now(),
    outcome: end.kind === 'next' ? 'completed' : end.kind === 'stop' ? 'stopped' : 'interrupted',
    ...(end.kind === 'stop' ? { stoppedAt: { operation: end.operation, because: end.because } } : {}),
  });
  return end.kind;
}

/**
 * Runs steps in order. A finish signal ends the journey between two steps, but a turn that was accepted is still followed to
 * its end where that is the next step: its completion would be missing from the history.
 */
export async function runSteps(journey: JourneyState, steps: readonly Step[]): Promise<StepEnd> {
  for (const step of steps) {
    if (journey.stop.finish.aborted && !followsOpenTurn(journey, step)) return interrupted;
    if (!('repeat' in step)) journey.step++;
    const end = await runStep(journey, step);
    if (end.kind !== 'next') return end;
  }
  return next;
}

const followsOpenTurn = ({ turns }: JourneyState, step: Step): boolean =>
  'followTurn' in step && turns.some(({ followed }) => !followed);
