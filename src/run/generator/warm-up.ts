import { setFlagsFromString } from 'node:v8';
import type { Micros } from '../../base/index.ts';
import type { Plan } from '../../plan/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';
import { rehearse } from '../forecast/rehearse.ts';

/**
 * Lets V8 inline up to 8,000 bytes of bytecode into one function, instead of 920. A request passes through many small functions,
 * and calling them costs 2 to 3 % of its CPU time.
 */
const INLINE_MORE = '--max-inlined-bytecode-size-cumulative=8000';

/**
 * Stops V8 from allocating objects as old at places in the code whose objects mostly survived ("pretenuring"). At the start of a run
 * those of journeys do: the first journeys wait for tokens and connections, and none is compiled yet. Later objects die within a
 * millisecond, but old ones stay until the next full collection, and with them everything that they refer to: on one core, each
 * collection of the young generation then took 2.6 to 4.1 ms instead of 0.4 to 0.6.
 */
export function keepObjectsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/**
 * Whether the plan runs as fast as the machine can: some users do not pause between journeys. For other plans, more inlining does
 * not pay, because it takes the compiler longer: at 487 requests a second on one core, the 99th percentile of the schedule lag in
 * the first ten seconds was 4.1 ms instead of 2.8.
 */
const isUnpaced = ({ loops }: Plan): boolean => loops.some(({ think }) => think === 0);

/**
 * Compiles the hot code by rehearsing the beginning of the plan in virtual time: code is slow when it first runs, and that delay
 * would be attributed to the service. Sends nothing. Must run in each thread, because threads do not share compiled code.
 */
export async function warmUpGenerator(loaded: LoadedScenario, plan: Plan, embedded: boolean): Promise<void> {
  keepObjectsYoung();
  if (isUnpaced(plan)) setFlagsFromString(INLINE_MORE);
  await rehearse(loaded, plan, embedded, { turnQuantile: 0.5, roundTripUs: 1_000 as Micros, mostExchanges: 300 });
}
