import { formatDuration, type Micros, microsFromMillis, seededRandom } from '../base/index.ts';
import type { LoadModel, Scenario } from '../scenario/index.ts';
import { journeysOf, type WeightedJourney } from './journey-choice.ts';
import { loadModelOf } from './load-models/index.ts';

export interface PlannedPhase {
  readonly name: string;
  readonly startUs: Micros;
  /** Planned length; journeys that run on after it do not delay the next phase. */
  readonly durationUs: Micros;
  /** Users of a closed model go on after that until their journeys are done: how long that takes, the service decides. */
  readonly untilDone?: true;
  /** Its load models in words. */
  readonly load: readonly string[];
}

/** One load model at its place in time. */
export interface Source {
  readonly model: LoadModel;
  readonly phase: string;
  readonly startUs: number;
  /** Arrivals at or after this are cut off with their phase. */
  readonly endUs: number;
  readonly choice: readonly WeightedJourney[];
  /** Arrivals that are not cut off. */
  readonly count: number;
  readonly seed: number;
  /** Its number among the load models, where its rate is a ceiling. */
  readonly ceiling?: number;
}

/** A phase as the scenario has it; of a scenario without phases, the one that its load makes. */
export interface PhaseInput {
  readonly name: string;
  readonly load: readonly LoadModel[];
  readonly durationUs?: number;
}

export function phaseInputs(scenario: Scenario): readonly PhaseInput[] {
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

/** The phases, laid end to end. */
export function phasesOf(scenario: Scenario): PlannedPhase[] {
  let startUs = 0;
  return phaseInputs(scenario).map((phase) => {
    const lengthOf = (model: LoadModel) => microsFromMillis(model.start) + loadModelOf(model).durationUs(model);
    const durationUs = (phase.durationUs ?? Math.max(...phase.load.map(lengthOf))) as Micros;
    const cut = (model: LoadModel) =>
      lengthOf(model) > durationUs ? `, cut off with its phase after ${formatDuration(durationUs)}` : '';
    const planned = {
      name: phase.name,
      startUs: startUs as Micros,
      durationUs,
      ...(phase.durationUs === undefined && phase.load.some(endsWithItsJourneys) && { untilDone: true as const }),
      load: phase.load.map((model) => `${loadModelOf(model).describe(model)}${startOf(model)}${cut(model)}`),
    };
    startUs += durationUs;
    return planned;
  });
}

const endsWithItsJourneys = (model: LoadModel): boolean =>
  loadModelOf(model)
    .users(model)
    .some(({ active }) => active.some(({ untilUs }) => untilUs === undefined));

const startOf = ({ start }: LoadModel): string =>
  start > 0 ? `, beginning after ${formatDuration(microsFromMillis(start))}` : '';

/** Every load model of every phase, in the order of the file. */
export function sourcesOf(scenario: Scenario, phases: readonly PlannedPhase[]): Source[] {
  let number = 0;
  return phaseInputs(scenario).flatMap((phase, p) =>
    phase.load.map((model, m) => {
      const phaseStart = phases[p]?.startUs ?? 0;
      const cut = phase.durationUs === undefined ? Number.POSITIVE_INFINITY : phaseStart + phase.durationUs;
      const source = {
        model,
        phase: phase.name,
        startUs: phaseStart + microsFromMillis(model.start),
        endUs: cut,
        choice: journeysOf(scenario, model),
        seed: seededRandom(scenario.seed, 'load', p, m).integer(2 ** 32),
        ...('noCatchUp' in model && model.noCatchUp ? { ceiling: number } : {}),
      };
      number++;
      return { ...source, count: countBefore(source) };
    }),
  );
}

/** Arrivals of a source that its phase does not cut off. */
function countBefore(source: Omit<Source, 'count'>): number {
  const kind = loadModelOf(source.model);
  if (source.startUs + kind.durationUs(source.model) < source.endUs) return kind.count(source.model, source.seed);
  let count = 0;
  for (const offset of kind.arrivals(source.model, source.seed)) {
    if (source.startUs + offset >= source.endUs) break;
    count++;
  }
  return count;
}
