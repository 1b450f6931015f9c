import { formatDuration, type Micros, microsFromMillis, seededRandom } from '../base/index.ts';
import { type LoadModel, namedUsers, type Scenario } from '../scenario/index.ts';
import { journeysOf, type WeightedJourney } from './journey-choice.ts';
import { loadModelOf } from './load-models/index.ts';

export interface PhaseTimes {
  readonly name: string;
  readonly startUs: Micros;
  /** Planned length. Journeys that take longer do not delay the next phase. */
  readonly durationUs: Micros;
  /** Set if users of a closed model without a duration run until their iterations are done; how long depends on the service. */
  readonly untilDone?: true;
}

export interface PlannedPhase extends PhaseTimes {
  /** Its load models in words. */
  readonly load: readonly string[];
}

/** One load model with its start, end and journeys. */
export interface Source {
  readonly model: LoadModel;
  readonly phase: string;
  readonly startUs: number;
  /** End of the phase, at which arrivals are cut off; infinite if the scenario sets no length. */
  readonly endUs: number;
  readonly choice: readonly WeightedJourney[];
  /** Indices of the users who take its arrivals in turn; absent: all users take all arrivals in turn. */
  readonly onlyUsers?: readonly number[];
  /** Number of arrivals before `endUs`. */
  readonly count: number;
  readonly seed: number;
  /** Its index among all load models, if it sets `noCatchUp`. */
  readonly ceiling?: number;
}

/** A phase of the scenario; a scenario without phases has one, which contains its load. */
export interface PhaseInput {
  readonly name: string;
  readonly load: readonly LoadModel[];
  readonly durationUs?: number;
}

export function phaseInputs(scenario: Scenario): readonly PhaseInput[] {
  if (scenario.phases) {
    return scenario.phases.map((phase) => ({
      name: phase.name,
      load: [phase.load].flat(),
      ...(phase.duration !== undefined && { durationUs: microsFromMillis(phase.duration) }),
    }));
  }
  return [{ name: 'load', load: [scenario.load ?? []].flat() }];
}

/** The phases in order; each starts at the planned end of the previous one. They are known before the target is. */
export function phaseTimesOf(scenario: Scenario): PhaseTimes[] {
  let startUs = 0;
  return phaseInputs(scenario).map((phase) => {
    const durationUs = (phase.durationUs ?? Math.max(...phase.load.map(lengthOf))) as Micros;
    const planned = {
      name: phase.name,
      startUs: startUs as Micros,
      durationUs,
      ...(phase.durationUs === undefined && phase.load.some(hasUnboundedUsers) && { untilDone: true as const }),
    };
    startUs += durationUs;
    return planned;
  });
}

/** The same, with their load in words: of load models that depend on the target, what `settleLoad` made of them. */
export function phasesOf(scenario: Scenario): PlannedPhase[] {
  const inputs = phaseInputs(scenario);
  return phaseTimesOf(scenario).map((times, p) => {
    const phase = inputs[p] as PhaseInput;
    const cut = (model: LoadModel) =>
      isCutOff(model, phase) ? `, cut off with its phase after ${formatDuration(times.durationUs)}` : '';
    const load = phase.load.map(
      (model) => `${loadModelOf(model).describe(model)}${usersText(model)}${startOf(model)}${cut(model)}`,
    );
    return { ...times, load };
  });
}

const lengthOf = (model: LoadModel): number => microsFromMillis(model.start) + loadModelOf(model).durationUs(model);

/** Whether something of a load model lies at the end of its phase or after it, and so is left out. */
function isCutOff(model: LoadModel, { durationUs = Number.POSITIVE_INFINITY }: PhaseInput): boolean {
  const length = lengthOf(model);
  const lasts = length === durationUs && loadModelOf(model).endsWithArrival === true;
  return length > durationUs || lasts || microsFromMillis(model.start) >= durationUs;
}

/** Whether only iterations, not time, limit a user of the model. */
const hasUnboundedUsers = (model: LoadModel): boolean =>
  loadModelOf(model)
    .users(model)
    .some(({ active }) => active.some(({ untilUs }) => untilUs === undefined));

const startOf = ({ start }: LoadModel): string =>
  start > 0 ? `, beginning after ${formatDuration(microsFromMillis(start))}` : '';

/** Most users that are named. */
const MOST_NAMED = 3;

function usersText({ onlyUsers }: LoadModel): string {
  if (onlyUsers === undefined) return '';
  const more = onlyUsers.length - MOST_NAMED;
  return `, only ${onlyUsers.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function onlyUsersOf({ users }: Scenario, { onlyUsers }: LoadModel): Pick<Source, 'onlyUsers'> {
  return onlyUsers === undefined ? {} : { onlyUsers: namedUsers(users, onlyUsers) };
}

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
        ...onlyUsersOf(scenario, model),
        seed: seededRandom(scenario.seed, 'load', p, m).integer(2 ** 32),
        ...('noCatchUp' in model && model.noCatchUp ? { ceiling: number } : {}),
      };
      number++;
      return { ...source, count: countBefore(source) };
    }),
  );
}

/** Number of arrivals of a source before the end of its phase. */
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
