import type { LimitScope } from '../../api/index.ts';
import { formatDuration, type Micros } from '../../base/index.ts';
import type { RefusalCounts } from '../../collect/index.ts';

/** How much of a limit is used now; of one that is shared out, by the bucket that has used most. */
export interface LimitUse {
  readonly used: number;
  readonly max: number;
  /** Present where there are several buckets. */
  readonly fullestOf?: { readonly buckets: number; readonly scope: LimitScope };
}

/** A phase of the plan. */
export interface LivePhase {
  readonly name: string;
  readonly startUs: Micros;
  /** Planned. */
  readonly durationUs: Micros;
  /** It goes on after that until its journeys are done. */
  readonly untilDone?: true;
}

/** A moment of a run, for people who watch. `run/` makes it from the records and the plan. */
export interface LiveState {
  /** What is going on: the name of a phase, or `finishing`. */
  readonly phase: string;
  /** All of the plan, in order of time. */
  readonly phases: readonly LivePhase[];
  readonly elapsedUs: Micros;
  /** To the planned end; absent when that has passed, or is not planned. */
  readonly leftUs?: Micros;
  /** Exchanges so far. */
  readonly requests: number;
  /** Exchanges sent per second of the generator's clock, lately. */
  readonly perSecond: number;
  /** Length of the declared window, on the service's clock. */
  readonly windowUs: Micros;
  /** Requests admitted in the present window of the service's clock. */
  readonly minute: LimitUse;
  readonly openTurns: LimitUse;
  /** New messages accepted on the present day of the service's clock. */
  readonly today: LimitUse;
  readonly refused: RefusalCounts;
  /** Neither successes nor 429s. */
  readonly errors: number;
  readonly drops: number;
  /** Service time of answers lately; a percentile that they are too few for is absent. */
  readonly service: { readonly p50Us?: Micros; readonly p95Us?: Micros };
  readonly warnings: readonly string[];
}

/** How far a phase is, as a share and in words. */
export function progressOf(
  { startUs, durationUs, untilDone }: LivePhase,
  { elapsedUs, phase }: Pick<LiveState, 'elapsedUs' | 'phase'>,
): { readonly share: number; readonly text: string } {
  const into = elapsedUs - startUs;
  if (into < 0) return { share: 0, text: `in ${formatDuration(-into)}` };
  if (untilDone && phase !== 'finishing') return { share: 0, text: 'until done' };
  if (into >= durationUs) return { share: 1, text: 'done' };
  return { share: into / durationUs, text: `${formatDuration(durationUs - into)} left` };
}
