import type { LimitName } from '../../api/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';
import type { Price } from './price.ts';

/** A gate that asks for a limit that is `held`, which only a refusal by it can show, where the forecast has none. */
export interface UnreachedLimit {
  readonly limit: LimitName;
  /** Most requests in a window, turns in process or new messages of a day, and how many the limit allows. */
  readonly most: number;
  readonly max: number;
  /** Whether a service that is faster than the forecast assumes would be sent more. */
  readonly fasterHasMore: boolean;
}

/** Each limit once, in the order of the gates. @param fasterHasMore see `UnreachedLimit` */
export function unreachedLimits(
  { gates, profile }: Pick<LoadedScenario, 'gates' | 'profile'>,
  price: Price,
  fasterHasMore: boolean,
): UnreachedLimit[] {
  const most = { rate: price.busiestMinute.high, concurrency: price.openTurns.high, daily: price.dailyUse.high };
  const asked = gates.flatMap((gate) =>
    gate.kind === 'limit' && gate.demand === 'held' && !gate.options.allowNoData ? [gate.limit] : [],
  );
  return [...new Set(asked)]
    .filter((limit) => price.refused[limit].high === 0)
    .map((limit) => ({ limit, most: most[limit], max: profile.limits[limit].max, fasterHasMore }));
}

/** A note for each, except where several rounds in a row may reach the limit together. */
export const unreachedLimitNotes = (unreached: readonly UnreachedLimit[], rounds = 1): string[] =>
  unreached
    .filter(({ limit, most, max }) => limit === 'concurrency' || rounds === 1 || most * rounds <= max)
    .map(
      ({ limit, most, max, fasterHasMore }) =>
        `the gate limit.${limit}: held needs a refusal by this limit, and the forecast has none (${most} of ${max})${fasterHasMore ? ', unless the service is faster than assumed' : ''}: undecided, it would fail the run; send more, or require "not violated"`,
    );
