import type { Micros } from '../base/index.ts';
import { compilePlan, type Plan } from '../plan/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import { type Price, priceOf } from './price.ts';
import { type Assumption, rehearse } from './rehearse.ts';
import { settleLoad, withoutLimits } from './settle-load.ts';

export interface PlanOptions {
  /** Whether the embedded sandbox would serve, whose turn lengths and clock are known. */
  readonly embedded: boolean;
}

export interface PricedPlan {
  readonly plan: Plan;
  readonly price: Price;
}

/**
 * Turns at the 5th and at the 95th percentile of their assumed length, conversations from before the run unknown and known:
 * between the two lies what a run will meet.
 */
const ASSUMPTIONS = [
  { turnQuantile: 0.05, roundTripUs: 2_000 as Micros },
  { turnQuantile: 0.95, roundTripUs: 2_000 as Micros, knowsConversations: true },
] as const satisfies readonly Assumption[];

/** A remote service is further away than loopback. */
const REMOTE_ROUND_TRIP_US = 100_000 as Micros;

/** Compiles a scenario and prices its plan by rehearsing it in virtual time. Sends nothing. */
export async function planScenario(given: LoadedScenario, options: PlanOptions): Promise<PricedPlan> {
  const loaded = await settleLoad(given, options.embedded);
  const plan = compilePlan(loaded.scenario);
  const rehearsed = async (scenario: LoadedScenario, assumption: Assumption) => {
    const roundTripUs = options.embedded ? assumption.roundTripUs : REMOTE_ROUND_TRIP_US;
    const { measurements, ...rehearsal } = await rehearse(scenario, plan, options.embedded, {
      ...assumption,
      roundTripUs,
    });
    return { summary: measurements.summary(), ...rehearsal };
  };
  const rehearsals = [];
  for (const assumption of ASSUMPTIONS) rehearsals.push(await rehearsed(loaded, assumption));
  // Our own sandbox keeps its limits; of another service that is what is to be found out.
  const unlimited = options.embedded ? [] : [await rehearsed(withoutLimits(loaded), ASSUMPTIONS[1])];
  return { plan, price: priceOf(rehearsals, unlimited) };
}
