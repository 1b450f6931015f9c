import type { Header } from '../../history/index.ts';
import type { Knee, StageSummary } from '../summary.ts';

/** Rates and numbers of users cannot be compared with one another. */
const kinds = ['arrivalsPerMinute', 'users'] as const;

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

/**
 * The longest sequence of stages whose load never falls, neither within a stage nor from one to the next, and rises at least once;
 * among equal ones the first.
 */
function longestRise(stages: readonly StageSummary[]): readonly StageSummary[] {
  const rises: StageSummary[][] = [];
  let before: StageSummary | undefined;
  for (const stage of stages) {
    const falls = fallsWithin(stage);
    if (before && !falls && goesOn(before, stage)) rises.at(-1)?.push(stage);
    else if (!falls) rises.push([stage]);
    before = falls ? undefined : stage;
  }
  return rises
    .filter(isRise)
    .reduce<readonly StageSummary[]>((best, rise) => (rise.length > best.length ? rise : best), []);
}

/** A stage of unknown load counts as one that may fall. */
const fallsWithin = (stage: StageSummary): boolean =>
  kinds.every((kind) => stage[kind] === undefined) ||
  kinds.some((kind) => stage[kind] !== undefined && isBelow(stage[kind].to, stage[kind].from));

/** Whether a stage has the same kinds of load as the one before it and begins with no less of any. */
const goesOn = (before: StageSummary, stage: StageSummary): boolean =>
  kinds.every((kind) => {
    const [earlier, later] = [before[kind], stage[kind]];
    if (earlier === undefined || later === undefined) return earlier === later;
    return !isBelow(later.from, earlier.to);
  });

const isRise = (rise: readonly StageSummary[]): boolean => {
  const [first, last] = [rise[0], rise.at(-1)];
  return kinds.some((kind) => first?.[kind] !== undefined && isBelow(first[kind].to, last?.[kind]?.to ?? 0));
};

/** Rates at both sides of a boundary may differ by rounding. */
const isBelow = (one: number, other: number): boolean => one < other * (1 - 1e-9);
