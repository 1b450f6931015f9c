import type { LoadModel } from './load-models/index.ts';
import type { Scenario } from './schema.ts';

type Loads = Pick<Scenario, 'load' | 'phases'>;

/** The load models of all phases, by their places: `load`, `load[1]`, `phases[0].load[2]`. */
export function placedLoadModels({ load, phases }: Loads): ReadonlyMap<string, LoadModel> {
  const listed = (models: readonly LoadModel[], path: string) =>
    models.map((model, m) => [`${path}[${m}]`, model] as const);
  if (phases) return new Map(phases.flatMap((phase, p) => listed(phase.load, `phases[${p}].load`)));
  if (Array.isArray(load)) return new Map(listed(load, 'load'));
  return new Map(load === undefined ? [] : [['load', load]]);
}

/** The load models of all phases. */
export const allLoadModels = (scenario: Loads): readonly LoadModel[] => [...placedLoadModels(scenario).values()];

/** The scenario with every load model changed. @param change gets the place too, as in `placedLoadModels` */
export function withLoadModels<S extends Loads>(
  scenario: S,
  change: <M extends LoadModel>(model: M, place: string) => M,
): S {
  const { load, phases } = scenario;
  const all = <M extends LoadModel>(models: readonly M[], path: string) =>
    models.map((model, m) => change(model, `${path}[${m}]`));
  return {
    ...scenario,
    ...(load !== undefined && { load: Array.isArray(load) ? all(load, 'load') : change(load, 'load') }),
    ...(phases && { phases: phases.map((phase, p) => ({ ...phase, load: all(phase.load, `phases[${p}].load`) })) }),
  };
}
