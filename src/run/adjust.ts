import type { TransportChoice } from '../api/index.ts';
import { type ConfigProblem, ConfigurationError, listed, type Millis, nearest } from '../base/index.ts';
import {
  allLoadModels,
  type LoadedScenario,
  type LoadModel,
  type Scenario,
  withLoadModels,
} from '../scenario/index.ts';

/** Changes of a loaded scenario by the command line. */
interface Adjustments {
  /** Duration of every load model that has one. */
  readonly duration?: Millis | undefined;
  /** One arrival of one journey and nothing else. */
  readonly once?: boolean;
  /** Only this journey; with `once`, the one to run. */
  readonly journey?: string | undefined;
  /** Replaces the profile's transport. */
  readonly transport?: TransportChoice | undefined;
}

/** Applies them. @throws ConfigurationError with every problem at once */
export function adjust(loaded: LoadedScenario, adjustments: Adjustments): LoadedScenario {
  const { duration, journey } = adjustments;
  const names = Object.keys(loaded.scenario.journeys);
  const models = allLoadModels(loaded.scenario);
  const problems: ConfigProblem[] = listed(
    // Neither one journey nor a burst of an hour must silently ignore a requested duration of ten seconds.
    duration !== undefined &&
      adjustments.once && {
        path: '--duration',
        message: 'would be ignored: --once runs one journey, however long it takes',
        hint: 'leave one of the two out',
      },
    duration !== undefined &&
      !adjustments.once &&
      !models.some(hasDuration) && {
        path: '--duration',
        message: `no load model has a duration: ${[...new Set(models.map(({ model }) => model))].join(', ')}`,
        hint: 'leave it out, or give one of them a duration in the scenario',
      },
    journey !== undefined &&
      !names.includes(journey) && {
        path: '--journey',
        message: `there is no journey "${journey}"`,
        hint: `${near(journey, names)}the scenario has: ${names.join(', ')}`,
      },
  );
  if (problems.length > 0) throw new ConfigurationError(problems);
  const { profile } = loaded;
  const client = { ...profile.client, ...(adjustments.transport && { transport: adjustments.transport }) };
  return { ...loaded, profile: { ...profile, client }, scenario: adjusted(loaded.scenario, adjustments) };
}

function near(journey: string, names: readonly string[]): string {
  const meant = nearest(journey, names);
  return meant === undefined ? '' : `did you mean ${meant}? `;
}

function adjusted(scenario: Scenario, { once, journey, duration }: Adjustments): Scenario {
  if (once) return onlyOnce(scenario, journey ?? Object.keys(scenario.journeys)[0] ?? '');
  const changed = withLoadModels(scenario, (model) => ({
    ...model,
    ...(duration !== undefined && hasDuration(model) && { duration }),
    ...(journey !== undefined && { journeys: [journey] }),
  }));
  if (duration === undefined || !changed.phases) return changed;
  const phases = changed.phases.map(({ duration: own, ...phase }) => ({
    ...phase,
    // A phase without a model that takes the duration keeps its own: otherwise the next phase would begin together with it.
    ...(own !== undefined && ![phase.load].flat().some(hasDuration) && { duration: own }),
  }));
  return { ...changed, phases };
}

/** The scenario with a single arrival of one journey, at its start. */
export function onlyOnce({ phases: _, ...scenario }: Scenario, journey: string): Scenario {
  const load: LoadModel = { model: 'burst', count: 1, gap: 0 as Millis, start: 0 as Millis, journeys: [journey] };
  // A list, as ever: the digest of the plan, by which runs are compared, tells one from a single model.
  return { ...scenario, load: [load], warmUp: 0 as Millis };
}

const hasDuration = (model: LoadModel): boolean => 'duration' in model && model.duration !== undefined;
