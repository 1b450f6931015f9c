import { sampleLatency } from '../../api/index.ts';
import { type Micros, microsFromMillis, seededRandom } from '../../base/index.ts';
import type { PauseStep } from '../../scenario/index.ts';
import { interrupted, type JourneyState, next, type StepEnd } from '../journeys/journey-state.ts';

/** Delays the next step's intended time; a random pause is the same for the same seed. */
export async function pause(journey: JourneyState, step: PauseStep): Promise<StepEnd> {
  const { world, arrival, stop } = journey;
  const random = seededRandom(world.loaded.scenario.seed, 'pause', arrival.index, journey.step);
  const ms = typeof step.pause === 'number' ? step.pause : sampleLatency(step.pause, random);
  journey.cursor = (journey.cursor + microsFromMillis(ms)) as Micros;
  await world.clock.sleepUntil(journey.cursor, stop.finish);
  return stop.finish.aborted ? interrupted : next;
}
