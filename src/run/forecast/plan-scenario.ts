import type { Day } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import { compilePlan, goesOn, type Plan } from '../../plan/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';
import { checkServiceTime } from '../check-service-time.ts';
import { checkStages } from '../check-stages.ts';
import { cutShortOf, isEnded } from './cut-short.ts';
import { mostInADay, pricedDays } from './daily-use.ts';
import { type Price, priceOf } from './price.ts';
import { type Assumption, FAST_ROUND_TRIP_US, REMOTE_ROUND_TRIP_US, rehearse } from './rehearse.ts';
import { settleLoad, withoutLimits } from './settle-load.ts';
import { gateSamples, type ShortGate, shortInAll } from './short-gates.ts';
import { type UnreachedLimit, unreachedLimits } from './unreached-limits.ts';

export interface PlanOptions {
  /** Whether the target is the embedded sandbox, whose turn lengths and clock are known. */
  readonly embedded: boolean;
  /**
   * When the run would start, which decides whether the service's day changes during it; default now. Truncated to the minute, so
   * that the same plan has the same price throughout a minute.
   */
  readonly now?: Date;
}

export interface PricedPlan {
  readonly plan: Plan;
  readonly price: Price;
  /** Gates for which no rehearsal has enough samples; none if the rehearsals were cut off, or leave out faults or defects. */
  readonly shortGates: readonly ShortGate[];
  /** Limits that gates want to be held and that no rehearsal reaches; none if `shortGates` cannot be known either. */
  readonly unreachedLimits: readonly UnreachedLimit[];
}

/**
 * Two assumptions that bracket a real run: turns take the 5th or the 95th percentile of their assumed length, and conversations
 * from before the run are unknown or known, as are ids with other content refused or accepted.
 */
const assumptions = (roundTripUs: Micros) => ({
  short: { turnQuantile: 0.05, roundTripUs },
  long: { turnQuantile: 0.95, roundTripUs, knowsConversations: true },
});

/** Compiles a scenario and prices its plan by rehearsing it in virtual time. Sends nothing. */
export async function planScenario(
  given: LoadedScenario,
  { embedded, now = new Date() }: PlanOptions,
): Promise<PricedPlan> {
  checkStages(given);
  checkServiceTime(given, embedded);
  const loaded = await settleLoad(embedded ? given : atAService(given), embedded);
  const plan = compilePlan(loaded.scenario);
  const days = pricedDays(loaded, embedded);
  const rehearsed = async (scenario: LoadedScenario, assumption: Assumption, day: Day) => {
    const gates = gateSamples(loaded);
    const { measurements, ...rehearsal } = await rehearse(scenario, plan, embedded, {
      ...assumption,
      startTime: `${now.toISOString().slice(0, 16)}:00Z`,
      // The embedded sandbox may have several daily limits with different kinds of day.
      ...(embedded ? {} : { day }),
      listen: gates.add,
    });
    const counted = { loaded, embedded, day, serviceAt: rehearsal.serviceAt };
    const dailyUse = mostInADay(measurements.acceptedMessages(), counted);
    return { summary: measurements.summary(), dailyUse, shortGates: gates.short(), ...rehearsal };
  };
  const { short, long } = assumptions(embedded ? FAST_ROUND_TRIP_US : REMOTE_ROUND_TRIP_US);
  const rehearsals = [await rehearsed(loaded, short, days.low), await rehearsed(loaded, long, days.high)];
  // The sandbox enforces its limits. Whether another service does is what the run will find out.
  const unlimited = embedded ? [] : [await rehearsed(withoutLimits(loaded), long, days.high)];
  const hasMoreIfFast = goesOn(plan) || [...rehearsals, ...unlimited].some((rehearsal) => isEnded(rehearsal, plan));
  const atOnce = { ...assumptions(FAST_ROUND_TRIP_US).short, knowsConversations: true };
  const fast = !embedded && hasMoreIfFast ? await rehearsed(withoutLimits(loaded), atOnce, days.high) : undefined;
  const cutShort = cutShortOf(plan, loaded.scenario, rehearsals);
  const price = { ...priceOf(days.known, rehearsals, unlimited, fast), ...(cutShort && { cutShort }) };
  const all = [...rehearsals, ...unlimited].map((rehearsal) => rehearsal.shortGates);
  const isTelling = price.whole && !misbehaves(loaded);
  return {
    plan,
    price,
    shortGates: isTelling ? shortInAll(all, hasMoreIfFast) : [],
    unreachedLimits: isTelling ? unreachedLimits(loaded, price, hasMoreIfFast) : [],
  };
}

/** Whether the sandbox has what a rehearsal is without: faults, whose retries give more samples, or defects. */
const misbehaves = ({ scenario: { sandbox } }: LoadedScenario): boolean =>
  [sandbox.faults, sandbox.defects].some((some = []) => some.length > 0);

/** Removes the sandbox's limits, defects, faults and start time, which do not apply to another service. */
function atAService({ scenario, ...loaded }: LoadedScenario): LoadedScenario {
  const { limits: _, startTime: _start, defects: _defects, faults: _faults, ...sandbox } = scenario.sandbox;
  return { ...loaded, scenario: { ...scenario, sandbox } };
}
