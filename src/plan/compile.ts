import { type Micros, microsFromMillis, seededRandom } from '../base/index.ts';
import type { LoadModel, Scenario } from '../scenario/index.ts';
import { type ClosedUser, loadModelOf } from './load-models/index.ts';

/** A journey's start. */
export interface Arrival {
  /** 0, 1, … in the order of time; names the arrival in the journal and in every derived identifier. */
  readonly index: number;
  readonly intendedAt: Micros;
  readonly phase: string;
  readonly journey: string;
  /** Index of the user, 0 ≤ user < number of users. */
  readonly user: number;
}

/** A user of a closed model: its iteration j is the arrival `firstIndex + j × indexStep`. */
export interface Loop {
  readonly firstIndex: number;
  readonly indexStep: number;
  readonly phase: string;
  readonly startUs: Micros;
  /** No iteration starts at or after this; absence means that `iterations` bounds it. */
  readonly untilUs?: Micros;
  readonly iterations?: number;
  readonly think: LoadModel extends infer M ? (M extends { model: 'closed-users'; think: infer T } ? T : never) : never;
  /** Journeys to choose from, with their weights. */
  readonly choice: readonly WeightedJourney[];
}

export interface PlannedPhase {
  readonly name: string;
  readonly startUs: Micros;
  /** Planned length; journeys that run on after it do not delay the next phase. */
  readonly durationUs: Micros;
  /** Its load models in words. */
  readonly load: readonly string[];
}

interface WeightedJourney {
  readonly name: string;
  readonly weight: number;
}

/** What will be started and when. */
export interface Plan {
  readonly phases: readonly PlannedPhase[];
  /** Planned end of the last phase. */
  readonly durationUs: Micros;
  /** Arrivals of open models in the order of time; a fresh, lazy iteration at each call. */
  arrivals(): Iterable<Arrival>;
  /** Number of arrivals of open models. */
  readonly arrivalCount: number;
  readonly loops: readonly Loop[];
  readonly users: number;
  readonly seed: number;
}

/**
 * Compiles a scenario to its plan: a pure function of the scenario (its seed included), the same at every call and on every machine.
 */
export function compilePlan(scenario: Scenario): Plan {
  const sources = sourcesOf(scenario);
  const phases = phasesOf(scenario);
  const arrivalCount = sources.reduce((sum, source) => sum + source.count, 0);
  const users = typeof scenario.users === 'number' ? scenario.users : scenario.users.length;
  return {
    phases,
    durationUs: Math.max(0, ...phases.map((phase) => phase.startUs + phase.durationUs)) as Micros,
    arrivals: () => mergedArrivals(sources, scenario.seed, users),
    arrivalCount,
    loops: loopsOf(sources, arrivalCount),
    users,
    seed: scenario.seed,
  };
}

/** The arrival that is iteration `iteration` of a loop, started at `intendedAt`. */
export function arrivalOfLoop(plan: Plan, loop: Loop, iteration: number, intendedAt: Micros): Arrival {
  const index = loop.firstIndex + iteration * loop.indexStep;
  // A closed user stays the same user from journey to journey: the loop's own place, not the arrival's index, names it.
  const user = (loop.firstIndex - plan.arrivalCount) % plan.users;
  return { index, intendedAt, phase: loop.phase, journey: chooseJourney(loop.choice, plan.seed, index), user };
}

/** One load model at its place in time. */
interface Source {
  readonly model: LoadModel;
  readonly phase: string;
  readonly startUs: number;
  /** Arrivals at or after this are cut off with their phase. */
  readonly endUs: number;
  readonly choice: readonly WeightedJourney[];
  readonly count: number;
  readonly seed: number;
}

function phaseInputs(scenario: Scenario): readonly { name: string; load: readonly LoadModel[]; durationUs?: number }[] {
  if (scenario.phases) {
    return scenario.phases.map((phase) => ({
      name: phase.name,
      load: phase.load,
      ...(phase.duration === undefined ? {} : { durationUs: microsFromMillis(phase.duration) }),
    }));
  }
  const load = scenario.load === undefined ? [] : Array.isArray(scenario.load) ? scenario.load : [scenario.load];
  return [{ name: 'load', load }];
}

function phasesOf(scenario: Scenario): PlannedPhase[] {
  let startUs = 0;
  return phaseInputs(scenario).map((phase) => {
    const longest = Math.max(
      ...phase.load.map((model) => microsFromMillis(model.start) + loadModelOf(model).durationUs(model)),
    );
    const durationUs = (phase.durationUs ?? longest) as Micros;
    const planned = {
      name: phase.name,
      startUs: startUs as Micros,
      durationUs,
      load: phase.load.map((model) => loadModelOf(model).describe(model)),
    };
    startUs += durationUs;
    return planned;
  });
}

function sourcesOf(scenario: Scenario): Source[] {
  const planned = phasesOf(scenario);
  return phaseInputs(scenario).flatMap((phase, p) =>
    phase.load.map((model, m) => {
      const phaseStart = planned[p]?.startUs ?? 0;
      const cut = phase.durationUs === undefined ? Number.POSITIVE_INFINITY : phaseStart + phase.durationUs;
      const source = {
        model,
        phase: phase.name,
        startUs: phaseStart + microsFromMillis(model.start),
        endUs: cut,
        choice: choiceOf(scenario, model),
        seed: seededRandom(scenario.seed, 'load', p, m).integer(2 ** 32),
      };
      return { ...source, count: countBefore(source) };
    }),
  );
}

/** Arrivals of a source that its phase does not cut off. */
function countBefore(source: Omit<Source, 'count'>): number {
  const kind = loadModelOf(source.model);
  if (source.startUs + kind.durationUs(source.model) < source.endUs) return kind.count(source.model);
  let count = 0;
  for (const offset of kind.arrivals(source.model, source.seed)) {
    if (source.startUs + offset >= source.endUs) break;
    count++;
  }
  return count;
}

function choiceOf(scenario: Scenario, model: LoadModel): WeightedJourney[] {
  const names = model.journeys ?? Object.keys(scenario.journeys);
  return names.map((name) => ({ name, weight: scenario.journeys[name]?.weight ?? 1 }));
}

/** Weighted choice; a pure function of seed and index, so that no arrival's journey depends on how many came before it. */
function chooseJourney(choice: readonly WeightedJourney[], seed: number, index: number): string {
  const [only] = choice;
  if (only && choice.length === 1) return only.name;
  const total = choice.reduce((sum, journey) => sum + journey.weight, 0);
  let left = seededRandom(seed, 'journey', index).next() * total;
  for (const journey of choice) {
    left -= journey.weight;
    if (left < 0) return journey.name;
  }
  return choice.at(-1)?.name ?? '';
}

/** Merges the sources by time; at equal times, in the order of the file. */
function* mergedArrivals(sources: readonly Source[], seed: number, users: number): Iterable<Arrival> {
  const heads = sources.map((source) => ({
    source,
    offsets: loadModelOf(source.model).arrivals(source.model, source.seed)[Symbol.iterator](),
    left: source.count,
    at: 0,
  }));
  const advance = (head: (typeof heads)[number]) => {
    const next = head.left > 0 ? head.offsets.next() : undefined;
    head.left--;
    head.at = next === undefined || next.done ? Number.POSITIVE_INFINITY : head.source.startUs + next.value;
  };
  for (const head of heads) advance(head);
  for (let index = 0; ; index++) {
    let first = heads[0];
    for (const head of heads) if (first && head.at < first.at) first = head;
    if (!first || first.at === Number.POSITIVE_INFINITY) return;
    const { source, at } = first;
    yield {
      index,
      intendedAt: at as Micros,
      phase: source.phase,
      journey: chooseJourney(source.choice, seed, index),
      user: index % users,
    };
    advance(first);
  }
}

function loopsOf(sources: readonly Source[], arrivalCount: number): Loop[] {
  const closed = sources.flatMap((source) =>
    source.model.model === 'closed-users'
      ? loadModelOf(source.model)
          .users(source.model)
          .map((user) => ({ source, user, model: source.model }))
      : [],
  );
  return closed.map(({ source, user, model }, l) => ({
    firstIndex: arrivalCount + l,
    indexStep: closed.length,
    phase: source.phase,
    startUs: (source.startUs + user.startUs) as Micros,
    ...untilOf(source, user),
    ...(user.iterations === undefined ? {} : { iterations: user.iterations }),
    think: (model as Extract<LoadModel, { model: 'closed-users' }>).think,
    choice: source.choice,
  }));
}

function untilOf(source: Source, user: ClosedUser): { untilUs?: Micros } {
  const own = user.untilUs === undefined ? Number.POSITIVE_INFINITY : source.startUs + user.untilUs;
  const until = Math.min(own, source.endUs);
  return until === Number.POSITIVE_INFINITY ? {} : { untilUs: until as Micros };
}
