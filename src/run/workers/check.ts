import { type ConfigProblem, ConfigurationError } from '../../base/index.ts';
import type { Plan } from '../../plan/index.ts';
import { allLoadModels, type LoadedScenario } from '../../scenario/index.ts';

/**
 * Checks, before anything is sent, that the plan can be run with this number of workers.
 * @throws ConfigurationError if some of them would have nothing to do, or if a load model sets `noCatchUp`
 */
export function checkWorkers(workers: number, { scenario, file }: LoadedScenario, plan: Plan): void {
  if (workers === 1) return;
  const problems: ConfigProblem[] = [];
  const useful = usefulWorkers(workers, plan);
  if (useful < workers)
    problems.push({
      path: '--workers',
      message: `of ${workers} workers only ${useful === 1 ? 'one' : useful} would have anything to do: a user's requests stay in one worker, and too few users take part`,
      hint: useful === 1 ? 'leave it out, or give the scenario more users' : `write --workers ${useful}`,
    });
  // Each worker starts its own arrivals and cannot keep a distance to those of other workers.
  const ceiling = allLoadModels(scenario).find((model) => 'noCatchUp' in model && model.noCatchUp === true);
  if (ceiling)
    problems.push({
      file,
      path: `load model ${ceiling.model}`,
      message: 'noCatchUp works only with one worker, because workers do not keep distances between their arrivals',
      hint: 'leave out --workers, or limit the rate with caps.requestsPerMinute, which holds for all workers together',
    });
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** The largest number of workers, up to `most`, with which none would be idle. */
function usefulWorkers(most: number, plan: Plan): number {
  const users = Math.max(Math.min(plan.users, plan.arrivalCount), ...plan.loops.map(({ user }) => user + 1));
  for (let of = Math.min(most, users); of > 1; of--) {
    const parts = Array.from({ length: of }, (_, part) => plan.segment({ part, of }));
    if (parts.every(({ arrivalCount, loops }) => arrivalCount > 0 || loops.length > 0)) return of;
  }
  return 1;
}
