import type { LoadModel } from './load-models/index.ts';
import type { Scenario } from './schema/schema.ts';

type Loads = Pick<Scenario, 'load' | 'phases'>;
type Load = NonNullable<Scenario['load']>;

/** The load models of all phases, by their places: `load`, `load[1]`, `phases[0].load[2]`. */
export function placedLoadModels({ load, phases }: Loads): ReadonlyMap<string, LoadModel> {
  if (phases) return new Map(phases.flatMap((phase, p) => placed(phase.load, `phases[${p}].load`)));
  return new Map(load === undefined ? [] : placed(load, 'load'));
}

const placed = (load: Load, path: string): readonly (readonly [string, LoadModel])[] =>
  Array.isArray(load) ? load.map((model: LoadModel, m) => [`${path}[${m}]`, model]) : [[path, load]];

/** The load models of all phases. */
export const allLoadModels = (scenario: Loads): readonly LoadModel[] => [...placedLoadModels(scenario).values()];

/** The scenario with every load model changed. @param change gets the place too, as in `placedLoadModels` */
export function withLoadModels<S extends Loads>(
  scenario: S,
  change: <M extends LoadModel>(model: M, place: string) => M,
): S {
  const { load, phases } = scenario;
  const changed = (load: Load, path: string): Load =>
    Array.isArray(load)
      ? load.map((model: LoadModel, m) => change(model, `${path}[${m}]`))
      : change(load as LoadModel, path);
  return {
    ...scenario,
    ...(load !== undefined && { load: changed(load, 'load') }),
    ...(phases && {
      phases: phases.map((phase, p) => ({ ...phase, load: changed(phase.load, `phases[${p}].load`) })),
    }),
  };
}
