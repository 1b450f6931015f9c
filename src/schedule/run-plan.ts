import { type Clock, type Micros, microsFromMillis, onAbort } from '../base/index.ts';
import type { Arrival, Plan } from '../plan/index.ts';
import { capsOf } from './caps/caps.ts';
import { Ceilings, LATE_US } from './caps/ceilings.ts';
import { Drops } from './drops.ts';
import type { StopSignals } from './journeys/journey-state.ts';
import { type JourneyContext, runJourney } from './journeys/run-journey.ts';
import { runLoop } from './journeys/run-loop.ts';
import { type RunShares, sharedIterations } from './shared/shares.ts';
import type { World } from './world.ts';

export type { StopSignals } from './journeys/journey-state.ts';

export interface RunCounts {
  /** Arrivals, dropped ones included. */
  readonly arrivals: number;
  /** Arrivals that never started, or stopped before they sent anything; each is in a record. */
  readonly drops: number;
}

/**
 * Runs a plan to its end: every arrival becomes a journey at its intended time, or a drop with its reason. Resolves when the last
 * journey has ended. After `finish` no journey starts, and each open one ends after its current step; waiting requests are no
 * longer sent, except to follow an accepted turn. After `abort` requests without an answer are censored at once.
 * @param shares set if other workers run the other segments of the plan; absent: this is the whole plan
 */
export async function runPlan(plan: Plan, world: World, stop: StopSignals, shares?: RunShares): Promise<RunCounts> {
  const end = new RunEnd(stop, world.clock);
  try {
    return await runAll(plan, world, stop, end, shares);
  } finally {
    end.forget();
  }
}

/**
 * Records when the run was stopped. Staying registered also keeps the one event listener that `onAbort` shares: otherwise each of
 * thousands of polls a second would add and remove it.
 */
class RunEnd {
  /** When the run was told to stop; infinite until then, and before everything if that was before it began. */
  stoppedAt = Number.POSITIVE_INFINITY;
  readonly #listening: readonly (() => void)[];

  constructor({ finish, abort }: StopSignals, clock: Clock) {
    const stopped = () => {
      this.stoppedAt = Math.min(this.stoppedAt, clock.now());
    };
    if (finish.aborted) this.stoppedAt = Number.NEGATIVE_INFINITY;
    this.#listening = [finish, abort].filter(({ aborted }) => !aborted).map((signal) => onAbort(signal, stopped));
  }

  forget(): void {
    for (const leave of this.#listening) leave();
  }
}

async function runAll(
  plan: Plan,
  world: World,
  stop: StopSignals,
  end: RunEnd,
  shares: RunShares | undefined,
): Promise<RunCounts> {
  let seq = 0;
  const warmUpUs = microsFromMillis(world.loaded.scenario.warmUp);
  const drops = new Drops(world.record, [warmUpUs, ...plan.stages.map(({ fromUs }) => fromUs)]);
  const context: JourneyContext = {
    world,
    stop,
    caps: capsOf(world.loaded.scenario.caps, world.clock, world.serviceRate, shares),
    nextSeq: () => seq++,
    drops,
    ended: { journeys: 0 },
  };
  const takeIteration = shares ? sharedIterations(shares) : counters();
  const users = plan.loops.map((loop) => runLoop(loop, context, takeIteration));
  // Awaited together: a defect in a user's loop is reported while arrivals still come.
  await Promise.all([runArrivals(plan, context, end), ...users]);
  await context.caps.settled(stop.abort);
  return { arrivals: context.ended.journeys + drops.count, drops: drops.count };
}

/** Counts the iterations of each stock: 0, 1, … */
function counters(): (stock: number) => number {
  const taken = new Map<number, number>();
  return (stock) => {
    const next = taken.get(stock) ?? 0;
    taken.set(stock, next + 1);
    return next;
  };
}

/** A late generator starts journeys for this long, then serves its sockets before it starts more. */
const LONGEST_START_US = 1_000;
/** Left-over arrivals that are recorded without a break. Millions take seconds, and a second Ctrl-C must be handled in between. */
const MOST_LEFT_AT_ONCE = 50_000;

/**
 * Most journeys in progress at once, some 10 KB each. Later arrivals wait in the plan, which takes no memory; their late start
 * counts as the generator's lag.
 */
export const MOST_JOURNEYS = 50_000;

/** Starts the arrivals of open models at their times, without waiting for one another. */
async function runArrivals(plan: Plan, context: JourneyContext, end: RunEnd): Promise<void> {
  const { world, caps, stop, drops } = context;
  const { clock } = world;
  const whenFull = world.loaded.scenario.caps.whenFull;
  const ceilings = new Ceilings();
  const journeys = new Running();
  let servedAt = clock.now();
  let left = 0;
  // Arrivals that were due before the run stopped were not started because the generator was late, not because the run stopped.
  const leave = (arrival: Arrival) =>
    drops.leave(arrival, arrival.intendedAt + LATE_US <= end.stoppedAt ? 'late' : 'stopped');
  for (const arrival of plan.arrivals()) {
    if (journeys.count >= MOST_JOURNEYS) await journeys.below(MOST_JOURNEYS);
    const now = clock.now();
    if (stop.finish.aborted) {
      if (++left % MOST_LEFT_AT_ONCE === 0) await clock.sleepUntil((now + 1) as Micros);
      leave(arrival);
      continue;
    }
    const isBehind = now - servedAt >= LONGEST_START_US;
    if (arrival.intendedAt > now || isBehind) {
      await clock.sleepUntil(Math.max(arrival.intendedAt, now + 1) as Micros, stop.finish);
      servedAt = clock.now();
    }
    // An arrival that finds a cap full does not start, and later arrivals keep no distance to it.
    const full = whenFull === 'drop' ? caps.fullCap() : undefined;
    const passage = full === undefined && !stop.finish.aborted ? ceilings.passageOf(arrival, clock.now()) : undefined;
    if (stop.finish.aborted) leave(arrival);
    else if (full !== undefined) drops.drop(arrival, full);
    else if (passage?.kind === 'late') drops.drop(arrival, 'late');
    else journeys.add(runJourney(context, arrival, passage));
  }
  drops.flush();
  await journeys.ended();
}

/** Work in progress beside its starter; forgets what has ended. */
class Running {
  #open = 0;
  #defect: { readonly error: unknown } | undefined;
  #wanted = 0;
  #whenFew: () => void = () => undefined;

  get count(): number {
    return this.#open;
  }

  /** @throws what earlier work threw: a defect of this tool; nothing more is started */
  add(work: Promise<unknown>): void {
    if (this.#defect) throw this.#defect.error;
    this.#open++;
    void work
      .catch((error: unknown) => {
        this.#defect ??= { error };
      })
      .then(() => {
        if (--this.#open < this.#wanted) this.#whenFew();
      });
  }

  /** Resolves when fewer than `wanted` are open. One caller at a time. */
  async below(wanted: number): Promise<void> {
    if (this.#open < wanted) return;
    this.#wanted = wanted;
    await new Promise<void>((resolve) => (this.#whenFew = resolve));
    this.#wanted = 0;
  }

  async ended(): Promise<void> {
    await this.below(1);
    if (this.#defect) throw this.#defect.error;
  }
}
