import { microsFromMillis } from '../../base/index.ts';
import type { Summary } from '../../collect/index.ts';
import type { Plan } from '../../plan/index.ts';
import type { Scenario } from '../../scenario/index.ts';
import type { CutShort, Range } from './price.ts';
import type { Rehearsal } from './rehearse.ts';

interface Rehearsed extends Pick<Rehearsal, 'durationUs' | 'unseen'> {
  readonly summary: Pick<Summary, 'drops' | 'journeys'>;
}

/** Whether the deadline of the run ended journeys that had more to send. */
export const isEnded = ({ durationUs }: Pick<Rehearsal, 'durationUs'>, { stopsAtUs }: Plan): boolean =>
  stopsAtUs !== undefined && durationUs >= stopsAtUs;

/** @returns undefined if no rehearsal is ended before its plan is done */
export function cutShortOf(
  plan: Plan,
  { deadline }: Pick<Scenario, 'deadline'>,
  rehearsals: readonly Rehearsed[],
): CutShort | undefined {
  const { stopsAtUs, arrivalCount } = plan;
  if (stopsAtUs === undefined || !rehearsals.some((rehearsed) => isEnded(rehearsed, plan))) return undefined;
  const range = (count: (rehearsed: Rehearsed) => number): Range => {
    const counts = rehearsals.map((rehearsed) => (isEnded(rehearsed, plan) ? count(rehearsed) : 0));
    return { low: Math.min(...counts), high: Math.max(...counts) };
  };
  return {
    by: deadline !== undefined && microsFromMillis(deadline) === stopsAtUs ? 'deadline' : 'gracefulStop',
    atUs: stopsAtUs,
    arrivals: arrivalCount,
    notStarted: range(({ summary, unseen }) => (summary.drops.byReason.stopped ?? 0) + unseen),
    interrupted: range(({ summary }) =>
      Object.values(summary.journeys).reduce((sum, { byOutcome }) => sum + byOutcome.interrupted, 0),
    ),
  };
}
