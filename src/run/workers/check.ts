import { type ConfigProblem, ConfigurationError } from '../../base/index.ts';
import type { Plan } from '../../plan/index.ts';
import { allLoadModels, type LoadedScenario } from '../../scenario/index.ts';

/** No machine has use for more. */
export const MOST_WORKERS = 128;

/**
 * Checks, before anything is sent, that the plan can be run with this number of workers.
 * @throws ConfigurationError if some of them would have nothing to do, or if a load model sets `noCatchUp`
 */
export function checkWorkers(workers: number, { scenario, file }: LoadedScenario, plan: Plan): void {
  if (workers === 1) return;
  const problems: ConfigProblem[] = [];
  const users = usersTakingPart(plan);
  const busy = busyWorkers(workers, users);
  // A plan without arrivals (a rare Poisson process may have none) ends as with one worker: nothing was sent.
  if (busy > 0 && busy < workers) {
    const useful = nearestUseful(workers, users);
    problems.push({
      path: '--workers',
      message: `of ${workers} workers only ${busy === 1 ? 'one' : busy} would have anything to do: each user belongs to one worker, dealt out in turn`,
      hint: `${useful === undefined ? 'leave it out' : `write --workers ${useful}`}, or let more users take part`,
    });
  }
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

const busyWorkers = (of: number, users: ReadonlySet<number>): number =>
  new Set([...users].map((user) => user % of)).size;

/** The number of workers nearest to the wanted one with which none would be idle; undefined if only one worker is of use. */
function nearestUseful(wanted: number, users: ReadonlySet<number>): number | undefined {
  const possible = Array.from({ length: Math.min(users.size, MOST_WORKERS) + 1 }, (_, of) => of).slice(2);
  return possible
    .sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted) || a - b)
    .find((of) => busyWorkers(of, users) === of);
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
