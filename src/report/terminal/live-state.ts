import type { LimitScope } from '../../api/index.ts';
import { formatDuration, type Micros } from '../../base/index.ts';
import type { RefusalCounts } from '../../collect/index.ts';
import { formatCount, fromTo, plural } from '../formatters.ts';

/** Current usage of a limit; with several buckets, that of the fullest one. */
export interface LimitUse {
  readonly used: number;
  /** If those whose answer leaves it open count, too (5xx); absent if there are none. */
  readonly possible?: number;
  readonly max: number;
  /** Present if there are several buckets. */
  readonly fullestOf?: { readonly buckets: number; readonly scope: LimitScope };
}

/** A phase of the plan. */
export interface LivePhase {
  readonly name: string;
  readonly startUs: Micros;
  /** Planned duration. */
  readonly durationUs: Micros;
  /** Present if the phase lasts until its journeys are done. */
  readonly untilDone?: true;
}

/** A snapshot of a run for the live views. `run/` creates it from records and plan. */
export interface LiveState {
  /** The name of the current phase, or `finishing`. */
  readonly phase: string;
  /**
   * Present if the plan is over and journeys go on, since nothing stopped the run; with how many, where the plan tells: users in a loop
   * have no number of journeys.
   */
  readonly goingOn?: { readonly journeys?: number };
  /** All phases of the plan, in order of time. */
  readonly phases: readonly LivePhase[];
  readonly elapsedUs: Micros;
  /** Time to the planned end; absent if it has passed, if none is planned, or if the run was stopped. */
  readonly leftUs?: Micros;
  /** When the run was stopped before its planned end; absent if it was not. */
  readonly stoppedUs?: Micros;
  /** Exchanges so far. */
  readonly requests: number;
  /** Exchanges that ended, per second of the last whole seconds of run time, at most five; absent before the first has passed. */
  readonly perSecond?: number;
  /** Length of the declared window, on the service's clock. */
  readonly windowUs: Micros;
  /** Requests admitted in the current window of the service's clock. */
  readonly minute: LimitUse;
  /** Accepted and not yet seen to end. */
  readonly openTurns: LimitUse;
  /** New messages accepted on the current UTC day of the service's clock. */
  readonly today: LimitUse;
  readonly refused: RefusalCounts;
  /** Exchanges that were neither successes nor 429s. */
  readonly errors: number;
  readonly drops: number;
  /** The most requests that lately waited for a connection; absent if none did. */
  readonly connectionQueue?: number;
  /** Service time of recent successes, as in the summary; a percentile is absent if there are too few. */
  readonly service: { readonly p50Us?: Micros; readonly p95Us?: Micros };
  readonly warnings: readonly string[];
}

/** `20 of 50 (fullest of 3 users)`, `20 to 23 of 50` */
export const useText = ({ used, possible = used, max, fullestOf }: LimitUse): string =>
  `${fromTo(used, possible)} of ${formatCount(max)}${fullestOf ? ` (fullest of ${plural(fullestOf.buckets, fullestOf.scope, `${fullestOf.scope}s`)})` : ''}`;

/** For open turns: more of them than the limit prove nothing, since a turn may have ended before it was seen to. */
export const atMostText = (use: LimitUse): string => `at most ${useText(use)}`;

/** What a run does in the phase `finishing`: its journeys still send steps, unless it was stopped. */
export function finishingText({ goingOn }: Pick<LiveState, 'goingOn'>): string {
  if (goingOn === undefined) return 'nothing more is started; waiting for open requests';
  const { journeys } = goingOn;
  if (journeys === undefined) return 'all arrivals have started; journeys go on';
  return `all arrivals have started; ${plural(journeys, 'journey')} ${journeys === 1 ? 'goes' : 'go'} on`;
}

/** `28 s beyond the plan`; undefined before its end, if it is one burst, or if the run lasts until its journeys are done. */
export function beyondPlan({ phases, elapsedUs }: Pick<LiveState, 'phases' | 'elapsedUs'>): string | undefined {
  const end = Math.max(...phases.map(({ startUs, durationUs }) => startUs + durationUs));
  if (end === 0 || elapsedUs <= end || phases.some(({ untilDone }) => untilDone)) return undefined;
  return `${formatDuration((elapsedUs - end) as Micros)} beyond the plan`;
}

/** Progress of a phase as a share and in words. */
export function progressOf(
  { startUs, durationUs, untilDone }: LivePhase,
  { elapsedUs, stoppedUs = elapsedUs, phase }: Pick<LiveState, 'elapsedUs' | 'stoppedUs' | 'phase'>,
): { readonly share: number; readonly text: string } {
  const into = stoppedUs - startUs;
  const finishing = phase === 'finishing';
  if (into < 0) return { share: 0, text: finishing ? 'not reached' : `in ${formatDuration(-into)}` };
  if (untilDone && !finishing) return { share: 0, text: 'until done' };
  if (into >= durationUs) return { share: 1, text: 'done' };
  // Nothing new is started before the end of the plan: the run was stopped.
  if (finishing) return { share: into / durationUs, text: 'stopped' };
  return { share: into / durationUs, text: `${formatDuration(durationUs - into)} left` };
}
