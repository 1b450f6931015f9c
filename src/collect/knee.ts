import type { Header } from '../history/index.ts';
import type { Knee, StageSummary } from './summary.ts';

/** The highest load of a stage; rates and numbers of users cannot be compared with one another. */
interface Level {
  readonly of: 'arrivals' | 'users';
  readonly value: number;
}

function levelOf({ arrivalsPerMinute, users }: StageSummary): Level | undefined {
  const [of, change] = arrivalsPerMinute ? (['arrivals', arrivalsPerMinute] as const) : (['users', users] as const);
  return change && { of, value: Math.max(change.from, change.to) };
}

/**
 * Where a rising load first became too high; `undefined` if the load never rises. Uses only counts, not latency: how slow is too
 * slow is for a gate to decide.
 * @param header of the run: its rate limit's window, the speed of the service's clock, the warm-up
 */
export function kneeOf(
  stages: readonly StageSummary[],
  { limits, clock, warmUpUs }: Pick<Header, 'limits' | 'clock' | 'warmUpUs'>,
): Knee | undefined {
  const rising = longestRise(stages.filter(({ toUs }) => toUs > warmUpUs));
  const [first] = rising;
  const last = rising.at(-1);
  if (!first || !last) return undefined;
  const at = rising.findIndex(({ state }) => state === 'gave-in');
  const gaveIn = rising[at];
  const below = at < 0 ? rising : rising.slice(0, at);
  const held = below.findLast(({ state }) => state === 'held');
  const windowUs = limits.rate.windowUs / (clock.rate ?? 1);
  const shorter = gaveIn && gaveIn.toUs - gaveIn.fromUs < windowUs;
  return {
    from: first.name,
    to: last.name,
    ...(held && { held: held.name }),
    ...(gaveIn && { gaveIn: gaveIn.name }),
    untold: below.filter(({ state }) => state === 'untold').map(({ name }) => name),
    heldAgain: (at < 0 ? [] : rising.slice(at + 1)).filter(({ state }) => state === 'held').map(({ name }) => name),
    ...(shorter && gaveIn.refusedBy.rate > 0 && { withinWindow: true as const }),
  };
}

/** The longest sequence of stages whose load never falls and rises at least once; among equal ones the first. */
function longestRise(stages: readonly StageSummary[]): readonly StageSummary[] {
  const rises: StageSummary[][] = [];
  let before: Level | undefined;
  for (const stage of stages) {
    const level = levelOf(stage);
    const goesOn = level && before && level.of === before.of && level.value >= before.value;
    if (goesOn) rises.at(-1)?.push(stage);
    else rises.push([stage]);
    before = level;
  }
  const value = (stage: StageSummary | undefined) => (stage && levelOf(stage))?.value ?? 0;
  const longest = rises
    .filter((rise) => value(rise.at(-1)) > value(rise[0]))
    .reduce<readonly StageSummary[]>((best, rise) => (rise.length > best.length ? rise : best), []);
  return longest;
}
