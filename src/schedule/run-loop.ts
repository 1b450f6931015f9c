import { sampleLatency } from '../api/index.ts';
import { type Micros, microsFromMillis, seededRandom } from '../base/index.ts';
import { type Arrival, arrivalOfLoop, type Loop } from '../plan/index.ts';
import type { RunContext } from './run-journey.ts';

/** Hands out the iterations of one stock, 0, 1, …, to whoever asks first. */
export type TakeIteration = (stock: number) => number;

/** One user of a closed model: journey after journey, thinking in between. */
export async function runLoop(
  loop: Loop,
  context: RunContext,
  takeIteration: TakeIteration,
  start: (arrival: Arrival) => Promise<unknown>,
): Promise<void> {
  const { world, stop } = context;
  const { seed } = world.loaded.scenario;
  let intendedAt = nextActive(loop, Number.NEGATIVE_INFINITY);
  for (let own = 0; intendedAt !== undefined; own++) {
    if (own >= (loop.iterations ?? Number.POSITIVE_INFINITY)) return;
    await world.clock.sleepUntil(intendedAt, stop.finish);
    if (stop.finish.aborted) return;
    const iteration = loop.stock === undefined ? own : takeIteration(loop.stock.number);
    if (loop.stock !== undefined && iteration >= loop.stock.iterations) return;
    const arrival = arrivalOfLoop(loop, iteration, intendedAt);
    await start(arrival);
    const random = seededRandom(seed, 'think', arrival.index);
    const think = typeof loop.think === 'number' ? loop.think : sampleLatency(loop.think, random);
    intendedAt = nextActive(loop, world.clock.now() + microsFromMillis(think));
  }
}

/** The first instant from `at` on at which the user starts journeys; `undefined` when there is none. */
function nextActive({ active }: Loop, at: number): Micros | undefined {
  const time = active.find(({ untilUs = Number.POSITIVE_INFINITY }) => at < untilUs);
  return time && (Math.max(at, time.fromUs) as Micros);
}
