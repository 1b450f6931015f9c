import type { Micros } from '../base/index.ts';
import type { Plan } from '../plan/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import { rehearse } from './rehearse.ts';

/**
 * Rehearses the beginning of the plan, in virtual time: code that runs for the first time is slow, and that slowness must
 * not read as the service's. Changes nothing and sends nothing. Each thread has compiled code of its own.
 */
export async function warmUpGenerator(loaded: LoadedScenario, plan: Plan, embedded: boolean): Promise<void> {
  await rehearse(loaded, plan, embedded, { turnQuantile: 0.5, roundTripUs: 1_000 as Micros, mostExchanges: 300 });
}
