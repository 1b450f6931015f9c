import { availableParallelism } from 'node:os';
import { ConfigurationError, together } from '../../base/index.ts';
import {
  checkUnused,
  DASHBOARD_PORT,
  MOST_WORKERS,
  openPool,
  type PooledRun,
  poolable,
  preflight,
} from '../../run/index.ts';
import type { RunArguments } from '../options/run-switches.ts';
import { type ChosenScenario, chooseScenario } from '../options/scenario-options.ts';
import { roundsOf, type WantedRounds } from './rounds.ts';

export interface ChosenRun {
  readonly chosen: ChosenScenario;
  readonly pool: readonly PooledRun[];
  /** `undefined`: a single run. */
  readonly rounds: WantedRounds | undefined;
  readonly workers: number;
  /** Port of the live report; `undefined`: none. */
  readonly dashboard: number | undefined;
}

/** Checks all arguments before the price is computed. @throws ConfigurationError with every problem */
export async function chooseRun(args: RunArguments): Promise<ChosenRun> {
  const [{ chosen, pool }, rounds, workers, dashboard] = await together(
    () => runnable(args),
    () => roundsOf(args),
    () => workersOf(args),
    () => portOf(args.dashboard),
    () => checkFolder(args.out),
    () => checkGates(args),
  );
  if (args.out !== undefined) checkUnused(args.out);
  return { chosen, pool, workers, rounds, dashboard };
}

async function runnable(args: RunArguments): Promise<Pick<ChosenRun, 'chosen' | 'pool'>> {
  const chosen = await chooseScenario(args);
  const others = args.against === undefined ? [] : [args.against === 'sandbox' ? undefined : args.against];
  const workers = areWorkers(args.workers) ? workersOf(args) : 1;
  const [pool] = await together(
    async () => openPool({ runs: args.pool, allow: args.allow }, await poolable(chosen.loaded, chosen.target)),
    () => preflight({ ...chosen, workers, sides: [chosen.target, ...others] }),
  );
  return { chosen, pool };
}

const areWorkers = (workers: number): boolean => Number.isInteger(workers) && workers >= 1 && workers <= MOST_WORKERS;

/** `--once` and `--debug` use one worker. @throws ConfigurationError */
function workersOf({ workers, once, debug }: RunArguments): number {
  if (areWorkers(workers)) return once || debug ? 1 : workers;
  throw new ConfigurationError([
    {
      path: '--workers',
      message: `must be a whole number from 1 to ${MOST_WORKERS}`,
      hint: `this machine can use ${availableParallelism()}`,
    },
  ]);
}

/** k6 writes `--out json=FILE`, which would otherwise be the name of a folder. @throws ConfigurationError */
function checkFolder(out: string | undefined): void {
  const [, output] = /^(json|csv|influxdb|statsd|cloud|web-dashboard|experimental-[\w-]+)=/.exec(out ?? '') ?? [];
  if (output === undefined) return;
  throw new ConfigurationError([
    {
      path: '--out',
      message: `"${output}=…" is an output of k6, and here --out names a folder`,
      hint: 'every run writes summary.json, requests.csv and more into it: write for example --out results/today',
    },
  ]);
}

/** A gate that is given and never judged would pass whatever happens. @throws ConfigurationError */
function checkGates({ gates, gate }: Pick<RunArguments, 'gates' | 'gate'>): void {
  if (gates || gate.length === 0) return;
  throw new ConfigurationError([
    {
      path: '--gate',
      message: 'would not be judged: --no-gates ignores all gates, not only those of the scenario',
      hint: 'leave one of the two out',
    },
  ]);
}

/** @param text value of the switch; empty if it has none @throws ConfigurationError */
function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = text === '' ? DASHBOARD_PORT : Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new ConfigurationError([
    {
      path: '--dashboard',
      message: `"${text}" is not a port`,
      hint: `write --dashboard=${DASHBOARD_PORT}, or --dashboard alone after the scenario`,
    },
  ]);
}
