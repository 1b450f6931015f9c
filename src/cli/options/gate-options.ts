import type { Argv } from 'yargs';
import { ConfigurationError, together } from '../../base/index.ts';
import { type PooledRun, type PoolFlaw, requireRun } from '../../run/index.ts';
import { gatesNamed } from '../../scenario/index.ts';
import { tell } from '../output/print.ts';
import { gateSwitch } from './switches.ts';

/** Switches of every command that judges gates. */
export interface GateArguments {
  readonly gate: readonly string[];
  readonly pool: readonly string[];
  readonly allow: readonly PoolFlaw[];
}

type Gates = ReturnType<typeof gatesNamed>['gates'];

const poolFlaws: readonly PoolFlaw[] = ['plan', 'target', 'incomplete', 'invalid'];

export const withGates = <T>(args: Argv<T>) =>
  args
    .option('gate', gateSwitch)
    .option('pool', {
      type: 'string',
      array: true,
      default: [] as string[],
      describe: 'Earlier runs of the same scenario whose samples are added when gates are judged',
    })
    .option('allow', {
      array: true,
      nargs: 1,
      choices: poolFlaws,
      default: [] as PoolFlaw[],
      describe: 'Pool runs that are incomplete or invalid, or that differ in plan or target; may be repeated',
    });

/** Reports pooled runs that are used only because of --allow. */
export function tellAllowed(pooled: readonly PooledRun[]): void {
  for (const { allowed } of pooled) if (allowed !== undefined) tell(`pooled because of --allow: ${allowed}`);
}

/**
 * Checks what a command line names for an existing run.
 * @returns the gates
 * @throws ConfigurationError with every problem of the gates, and every name that is no run
 */
export async function chooseGates(args: GateArguments & { readonly run: string }): Promise<Gates> {
  const runs = [args.run, ...args.pool].map((run) => () => requireRun(run));
  const [gates] = await together(() => gatesGiven(args), ...runs);
  return gates;
}

/** @throws ConfigurationError with every problem */
function gatesGiven({ gate }: GateArguments): Gates {
  const { gates, problems } = gatesNamed(gate);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return gates;
}
