import { setFlagsFromString } from 'node:v8';
import type { Micros } from '../base/index.ts';
import type { Plan } from '../plan/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import { rehearse } from './rehearse.ts';

/**
 * Bytes of bytecode that the compiler puts into one function from those that it calls, instead of 920. The way of a request is many
 * small functions, one after the other: calling them costs 2 to 3 % of a request's CPU.
 */
const INLINE_AS_ONE = '--max-inlined-bytecode-size-cumulative=8000';

/**
 * Users who never pause ask for all that this machine can make. Others do not pay for what the compiler takes longer: on one core
 * of 487 requests a second one in a hundred was seen 4.1 ms late instead of 2.8, in the first ten seconds.
 */
const asksForAll = ({ loops }: Plan): boolean => loops.some(({ think }) => think === 0);

/**
 * Rehearses the beginning of the plan, in virtual time: code that runs for the first time is slow, and that slowness must
 * not read as the service's. Changes nothing and sends nothing. Each thread has compiled code of its own.
 */
export async function warmUpGenerator(loaded: LoadedScenario, plan: Plan, embedded: boolean): Promise<void> {
  if (asksForAll(plan)) setFlagsFromString(INLINE_AS_ONE);
  await rehearse(loaded, plan, embedded, { turnQuantile: 0.5, roundTripUs: 1_000 as Micros, mostExchanges: 300 });
}
