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
      hint: useful === 1 ? 'leave it out, or let more users take part' : `write --workers ${useful}`,
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
  const users = usersTakingPart(plan);
  for (let of = Math.min(most, users.size); of > 1; of--) {
    const parts = new Set<number>();
    for (const user of users) parts.add(user % of);
    if (parts.size === of) return of;
  }
  return 1;
}

/** Indices of the users who have arrivals or loops. */
function usersTakingPart({ users, loops, arrivals }: Plan): ReadonlySet<number> {
  const taking = new Set(loops.map(({ user }) => user));
  for (const { user } of arrivals()) {
    taking.add(user);
    if (taking.size === users) break;
  }
  return taking;
}
