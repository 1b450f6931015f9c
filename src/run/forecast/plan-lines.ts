import type { ConfigProblem } from '../../base/index.ts';
import type { Arrival } from '../../plan/index.ts';
import type { PricedPlan } from './plan-scenario.ts';
import type { Price } from './price.ts';

/*
 * The format of `spillway plan --json`: the forecast as one line of JSON, then one line for each arrival.
 */

export const PLAN_FORMAT = 'spillway-plan';
export const PLAN_VERSION = 1;

/** The first line. */
export interface ForecastLine extends Price {
  readonly format: typeof PLAN_FORMAT;
  readonly version: typeof PLAN_VERSION;
  readonly kind: 'price';
  readonly scenario: string;
  readonly seed: number;
  /** Why `spillway run` would refuse the plan; empty if it would not. */
  readonly wouldRefuse: readonly ConfigProblem[];
}

/** Every other line. */
export interface ArrivalLine extends Arrival {
  readonly kind: 'arrival';
}

/** The lines of a plan, in the order in which they are printed. */
export function* planLines(
  { plan, price }: PricedPlan,
  scenario: string,
  wouldRefuse: readonly ConfigProblem[],
): Generator<ForecastLine | ArrivalLine> {
  const { seed } = plan;
  yield { format: PLAN_FORMAT, version: PLAN_VERSION, kind: 'price', scenario, seed, ...price, wouldRefuse };
  for (const arrival of plan.arrivals()) yield { kind: 'arrival', ...arrival };
}
