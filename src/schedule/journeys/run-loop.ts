import { sampleLatency } from '../../api/index.ts';
import { type Micros, microsFromMillis, seededRandom } from '../../base/index.ts';
import { arrivalOfLoop, type Loop } from '../../plan/index.ts';
import { type JourneyContext, type JourneyEnd, runJourney } from './run-journey.ts';

/** Returns the next iteration number of a shared stock: 0, 1, … */
export type TakeIteration = (stock: number) => number;

/** One user of a closed model: journey after journey, with think time in between. */
export async function runLoop(loop: Loop, context: JourneyContext, takeIteration: TakeIteration): Promise<void> {
  const { world, stop } = context;
  const { seed } = world.loaded.scenario;
  let intendedAt = nextActive(loop, Number.NEGATIVE_INFINITY);
  let now = world.clock.now();
  for (let own = 0; intendedAt !== undefined; own++) {
    if (own >= (loop.iterations ?? Number.POSITIVE_INFINITY)) return;
    if (now < intendedAt) await world.clock.sleepUntil(intendedAt, stop.finish);
    if (stop.finish.aborted) return;
    const iteration = loop.stock === undefined ? own : takeIteration(loop.stock.number);
    if (loop.stock !== undefined && iteration >= loop.stock.iterations) return;
    const arrival = arrivalOfLoop(loop, iteration, intendedAt);
    const end = await runJourney(context, arrival);
    now = end.endedAt;
    const thought = now + microsFromMillis(thinkOf(loop, seed, arrival.index));
    intendedAt = nextActive(loop, Math.max(thought, earliestNext(end)));
  }
}

/** Pause before a user without a token requests one again, so that a service that issues none is not flooded with requests. */
const NO_TOKEN_PAUSE_US = 1_000_000;

/** Least time between the starts of journeys that send nothing. Otherwise a loop without pauses would never end and block the rest. */
const LEAST_PROGRESS_US = 1_000;

function earliestNext({ startedAt, hasSent, lacksToken }: JourneyEnd): number {
  if (lacksToken) return startedAt + NO_TOKEN_PAUSE_US;
  return hasSent ? startedAt : startedAt + LEAST_PROGRESS_US;
}

/** Milliseconds; a random pause is the same for the same seed. */
function thinkOf({ think }: Loop, seed: number, arrival: number): number {
  return typeof think === 'number' ? think : sampleLatency(think, seededRandom(seed, 'think', arrival));
}

/** The first instant from `at` on at which the user may start journeys; `undefined` if there is none. */
function nextActive({ active }: Loop, at: number): Micros | undefined {
  for (const { fromUs, untilUs } of active)
    if (untilUs === undefined || at < untilUs) return Math.max(at, fromUs) as Micros;
  return undefined;
}
