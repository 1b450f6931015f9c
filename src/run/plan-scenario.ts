import type { Micros } from '../base/index.ts';
import { compilePlan, type Plan } from '../plan/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import { checkStages } from './check-stages.ts';
import { type DayKind, mostInADay, pricedDays } from './daily-use.ts';
import { type Price, priceOf } from './price.ts';
import { type Assumption, rehearse } from './rehearse.ts';
import { settleLoad, withoutLimits } from './settle-load.ts';

export interface PlanOptions {
  /** Whether the embedded sandbox would serve, whose turn lengths and clock are known. */
  readonly embedded: boolean;
  /**
   * When it would begin, for where the day turns during the run; default now. To the minute: where within one a run begins is chance,
   * and the same plan should have the same price.
   */
  readonly now?: Date;
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

/** Compiles a scenario and prices its plan by rehearsing it in virtual time, as if begun now. Sends nothing. */
export async function planScenario(
  given: LoadedScenario,
  { embedded, now = new Date() }: PlanOptions,
): Promise<PricedPlan> {
  checkStages(given);
  const loaded = await settleLoad(embedded ? given : atAService(given), embedded);
  const plan = compilePlan(loaded.scenario);
  const days = pricedDays(loaded, embedded);
  const rehearsed = async (scenario: LoadedScenario, assumption: Assumption, day: DayKind) => {
    const { measurements, ...rehearsal } = await rehearse(scenario, plan, embedded, {
      ...assumption,
      roundTripUs: embedded ? assumption.roundTripUs : REMOTE_ROUND_TRIP_US,
      startTime: `${now.toISOString().slice(0, 16)}:00Z`,
      // The embedded sandbox may count by several days at once.
      ...(embedded ? {} : { day }),
    });
    const counted = { loaded, embedded, day, serviceAt: rehearsal.serviceAt };
    const dailyUse = mostInADay(measurements.acceptedMessages(), counted);
    return { summary: measurements.summary(), dailyUse, ...rehearsal };
  };
  const [short, long] = ASSUMPTIONS;
  const rehearsals = [await rehearsed(loaded, short, days.low), await rehearsed(loaded, long, days.high)];
  // Our own sandbox keeps its limits; of another service that is what is to be found out.
  const unlimited = embedded ? [] : [await rehearsed(withoutLimits(loaded), long, days.high)];
  return { plan, price: priceOf(days.known, rehearsals, unlimited) };
}

/** What is set of the embedded sandbox's limits, defects and clock is not so at another service. */
function atAService({ scenario, ...loaded }: LoadedScenario): LoadedScenario {
  const { limits: _, startTime: _start, defects: _defects, ...sandbox } = scenario.sandbox;
  return { ...loaded, scenario: { ...scenario, sandbox } };
}
