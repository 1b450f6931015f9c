import type { DropRecord } from '../history/index.ts';
import type { Arrival, Plan } from '../plan/index.ts';
import { capsOf } from './caps.ts';
import type { StopSignals } from './journey-state.ts';
import { type RunContext, runJourney } from './run-journey.ts';
import { runLoop } from './run-loop.ts';
import type { World } from './world.ts';

export type { StopSignals } from './journey-state.ts';

export interface RunCounts {
  /** Journeys started. */
  readonly arrivals: number;
  /** Arrivals never started; each has its record. */
  readonly drops: number;
}

/**
 * Runs a plan to its end: every arrival becomes a journey at its intended time, or a drop with its reason. Resolves when the
 * last journey has ended. After `finish` no journey starts and each open one ends after its current step; after `abort`
 * requests without an answer are censored at once.
 */
export async function runPlan(plan: Plan, world: World, stop: StopSignals): Promise<RunCounts> {
  let seq = 0;
  const context: RunContext = {
    world,
    stop,
    caps: capsOf(world.loaded.scenario.caps, world.clock, world.serviceRate),
    nextSeq: () => seq++,
  };
  const counts = { arrivals: 0, drops: 0 };
  const drop = (arrival: Arrival, reason: DropRecord['reason']) => {
    counts.drops++;
    world.record({
      kind: 'drop',
      intendedAt: arrival.intendedAt,
      arrival: arrival.index,
      journey: arrival.journey,
      reason,
    });
  };
  const start = (arrival: Arrival) => {
    counts.arrivals++;
    return runJourney(context, arrival);
  };
  const taken = new Map<number, number>();
  const takeIteration = (stock: number) => {
    const iteration = taken.get(stock) ?? 0;
    taken.set(stock, iteration + 1);
    return iteration;
  };
  const users = plan.loops.map((loop) => runLoop(loop, context, takeIteration, start));
  await runArrivals(plan, context, start, drop);
  await Promise.all(users);
  return counts;
}

/** Starts the arrivals of open models at their times, without waiting for one another. */
async function runArrivals(
  plan: Plan,
  context: RunContext,
  start: (arrival: Arrival) => Promise<unknown>,
  drop: (arrival: Arrival, reason: DropRecord['reason']) => void,
): Promise<void> {
  const { world, caps, stop } = context;
  const running = new Set<Promise<unknown>>();
  for (const arrival of plan.arrivals()) {
    await world.clock.sleepUntil(arrival.intendedAt, stop.finish);
    if (stop.finish.aborted) {
      drop(arrival, 'stopped');
      continue;
    }
    const full = world.loaded.scenario.caps.whenFull === 'drop' ? caps.fullCap() : undefined;
    if (full !== undefined) {
      drop(arrival, full);
      continue;
    }
    const journey = start(arrival).finally(() => running.delete(journey));
    running.add(journey);
  }
  await Promise.all(running);
}
