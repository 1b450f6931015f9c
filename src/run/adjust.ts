import { ConfigurationError, type Millis, parseDuration } from '../base/index.ts';
import type { TransportChoice } from '../client/index.ts';
import type { LoadedScenario, LoadModel, Scenario } from '../scenario/index.ts';

/** What the command line changes of a loaded scenario. */
export interface Adjustments {
  /** Duration of every load model that has one. */
  readonly duration?: string;
  /** One arrival of one journey, nothing else. */
  readonly once?: boolean;
  /** Only this journey; with `once` the one to run. */
  readonly journey?: string;
  /** Instead of the profile's. */
  readonly transport?: TransportChoice;
}

/** Applies them. @throws ConfigurationError with every problem at once */
export function adjust(loaded: LoadedScenario, adjustments: Adjustments): LoadedScenario {
  const { duration, journey } = adjustments;
  const ms = duration === undefined ? undefined : parseDuration(duration);
  const names = Object.keys(loaded.scenario.journeys);
  const problems = [
    ...(duration !== undefined && (ms === undefined || ms <= 0)
      ? [{ path: '--duration', message: `"${duration}" is not a duration`, hint: 'write for example 30s or 2min' }]
      : []),
    ...(journey !== undefined && !names.includes(journey)
      ? [
          {
            path: '--journey',
            message: `there is no journey "${journey}"`,
            hint: `the scenario has: ${names.join(', ')}`,
          },
        ]
      : []),
  ];
  if (problems.length > 0) throw new ConfigurationError(problems);
  const { profile } = loaded;
  const client = { ...profile.client, ...(adjustments.transport && { transport: adjustments.transport }) };
  return { ...loaded, profile: { ...profile, client }, scenario: adjusted(loaded.scenario, adjustments, ms) };
}

function adjusted(scenario: Scenario, { once, journey }: Adjustments, duration: Millis | undefined): Scenario {
  if (once) {
    const single = {
      model: 'burst',
      count: 1,
      gap: 0 as Millis,
      start: 0 as Millis,
      journeys: [journey ?? Object.keys(scenario.journeys)[0] ?? ''],
    } as const;
    const { phases: _, ...rest } = scenario;
    return { ...rest, load: [{ ...single, journeys: [...single.journeys] }], warmUp: 0 as Millis };
  }
  const change = (model: LoadModel): LoadModel => ({
    ...model,
    ...(duration !== undefined && hasDuration(model) ? { duration } : {}),
    ...(journey === undefined ? {} : { journeys: [journey] }),
  });
  const { load, phases } = scenario;
  return {
    ...scenario,
    ...(load === undefined ? {} : { load: Array.isArray(load) ? load.map(change) : change(load) }),
    ...(phases === undefined
      ? {}
      : {
          phases: phases.map(({ duration: own, ...phase }) => ({
            ...phase,
            load: phase.load.map(change),
            // A phase without a model that the duration is for keeps its own: the next one would begin with it.
            ...(own === undefined || (duration !== undefined && phase.load.some(hasDuration)) ? {} : { duration: own }),
          })),
        }),
  };
}

const hasDuration = (model: LoadModel): boolean => 'duration' in model && model.duration !== undefined;
