import { type Micros, microsFromMillis } from '../base/index.ts';
import type { Scenario } from '../scenario/index.ts';
import { type Arrival, mergedArrivals } from './arrivals.ts';
import { type Loop, loopsOf } from './loops.ts';
import { isInSegment, type Segment, wholePlan } from './segment.ts';
import { type PlannedPhase, phasesOf, sourcesOf } from './sources.ts';
import { type Stage, stagesOf } from './stages.ts';

/** Which journeys will start, and when. */
export interface Plan {
  readonly phases: readonly PlannedPhase[];
  /** The stages of the plan, without gaps from 0 on; empty if there is only one. */
  readonly stages: readonly Stage[];
  /** Planned end of the last phase. */
  readonly durationUs: Micros;
  /** When the run stops even if requests are open: at its deadline or `gracefulStop` after the planned end. Absent: never. */
  readonly stopsAtUs?: Micros;
  /** Arrivals of open models in the order of time; each call returns a new, lazy iteration. */
  arrivals(): Iterable<Arrival>;
  /** Number of arrivals of open models; of a segment, that of the whole plan. */
  readonly arrivalCount: number;
  readonly loops: readonly Loop[];
  readonly users: number;
  readonly seed: number;
  /** The part of this plan that one of several workers runs. The parts do not overlap and together are the whole plan. */
  segment(segment: Segment): Plan;
}

/** Compiles a scenario to its plan. A pure function of the scenario, including its seed, with equal results on all machines. */
export function compilePlan(scenario: Scenario): Plan {
  const phases = phasesOf(scenario);
  const sources = sourcesOf(scenario, phases);
  const total = sources.reduce((sum, source) => sum + source.count, 0);
  const users = typeof scenario.users === 'number' ? scenario.users : scenario.users.length;
  const { seed } = scenario;
  const loops = loopsOf(sources, total, users, seed);
  const stages = stagesOf(scenario);
  const durationUs = Math.max(0, ...phases.map((phase) => phase.startUs + phase.durationUs)) as Micros;
  const stopsAtUs = stopOf(scenario, durationUs);
  const planOf = (segment: Segment): Plan => ({
    phases,
    stages,
    durationUs,
    ...(stopsAtUs !== undefined && { stopsAtUs }),
    arrivals: () => mergedArrivals(sources, seed, users, segment),
    arrivalCount: total,
    loops: loops.filter((loop) => isInSegment(loop.user, segment)),
    users,
    seed,
    segment: planOf,
  });
  return planOf(wholePlan);
}

function stopOf({ deadline, gracefulStop }: Scenario, durationUs: Micros): Micros | undefined {
  const bounds = [
    ...(deadline === undefined ? [] : [microsFromMillis(deadline)]),
    ...(gracefulStop === undefined ? [] : [durationUs + microsFromMillis(gracefulStop)]),
  ];
  return bounds.length === 0 ? undefined : (Math.min(...bounds) as Micros);
}
