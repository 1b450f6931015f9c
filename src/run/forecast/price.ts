import { type LimitName, limitNames, type OperationId } from '../../api/index.ts';
import type { Micros } from '../../base/index.ts';
import type { Summary } from '../../collect/index.ts';
import type { Rehearsal } from './rehearse.ts';

/**
 * Lowest and highest value over the rehearsals: one with short turns, one with long turns and known conversations (see
 * `planScenario`).
 */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** What is left of a plan when its scenario ends the run, as the rehearsals show it. */
export interface CutShort {
  readonly by: 'deadline' | 'gracefulStop';
  /** When, after the start of the run. */
  readonly atUs: Micros;
  /** Planned arrivals, without those of users in a loop. */
  readonly arrivals: number;
  /** Of these, those that do not start. */
  readonly notStarted: Range;
  /** Journeys that are broken off. */
  readonly interrupted: Range;
}

/** What a service would be sent that refuses nothing. */
interface Unrefused {
  /** All requests, including those for tokens. */
  readonly requests: number;
  readonly messages: number;
  /** New messages accepted in all. */
  readonly newMessages: number;
  /** New messages on the fullest day. */
  readonly dailyUse: number;
}

/** Forecast of what a plan will send and what the declared limits will refuse. */
export interface Price {
  /** False: the rehearsals were cut off, and every count is a lower bound. */
  readonly whole: boolean;
  readonly durationUs: Range;
  readonly arrivals: Range;
  readonly tokens: Range;
  /** All requests except for tokens, including retries and polls, whether or not they count towards a limit. */
  readonly requests: Range;
  /** `readTurn` requests, included in `requests`. */
  readonly polls: Range;
  /** Attempts to send a message, resends included. */
  readonly messages: Range;
  /**
   * Requests in the fullest window of the rate limit (a minute, unless the profile declares another), refused ones included, in
   * one bucket of the limit's scope.
   */
  readonly busiestMinute: Range;
  /** Most turns in process at once, in one bucket of the limit's scope. */
  readonly openTurns: Range;
  /** New messages accepted in all. */
  readonly newMessages: Range;
  /** New messages on the fullest day. */
  readonly dailyUse: Range;
  /** False: it is unknown when the service's day changes. `dailyUse` then ranges from UTC days to the fullest 24 hours. */
  readonly dayIsKnown: boolean;
  readonly refused: Readonly<Record<LimitName, Range>>;
  /** Arrivals dropped by caps. */
  readonly drops: Range;
  /** Absent: the plan is done before its deadline. */
  readonly cutShort?: CutShort;
  /**
   * The highest counts, including those at a service that refuses nothing; compared with the budget. A forecast, not a bound: if
   * turns take longer than assumed, more polls are sent. Only `runBudget` is a bound.
   */
  readonly most: Unrefused;
  /**
   * The same, including those at a service that also answers at once (`FAST_ROUND_TRIP_US`) and has short turns; absent: nothing that
   * is sent depends on how fast it answers, or the service is the embedded sandbox. Not compared with the budget, which ends the run.
   */
  readonly ifFast?: Unrefused & {
    /** False: the rehearsal was cut off, and these counts are lower bounds. */
    readonly whole: boolean;
  };
}

/** What is priced of a rehearsal. */
interface Rehearsed extends Pick<Rehearsal, 'whole' | 'durationUs' | 'openTurns'> {
  readonly summary: Summary;
  /** New messages accepted on the fullest day. */
  readonly dailyUse: number;
}

/**
 * @param dayIsKnown see `Price.dayIsKnown`
 * @param rehearsals at the declared limits
 * @param unlimited rehearsals without limits
 * @param fast a rehearsal without limits at a service that answers at once; absent: see `Price.ifFast`
 */
export function priceOf(
  dayIsKnown: boolean,
  rehearsals: readonly Rehearsed[],
  unlimited: readonly Rehearsed[],
  fast?: Rehearsed,
): Price {
  const range = (value: Value): Range => {
    const values = rehearsals.map(value);
    return { low: Math.min(...values), high: Math.max(...values) };
  };
  const all = [...rehearsals, ...unlimited];
  const refused = (limit: LimitName) => range(({ summary }) => summary.refusals.byLimit[limit]);
  return {
    whole: all.every((rehearsed) => rehearsed.whole),
    durationUs: range((rehearsed) => rehearsed.durationUs),
    arrivals: range(arrivals),
    tokens: range(tokens),
    requests: range((rehearsed) => requests(rehearsed) - tokens(rehearsed)),
    polls: range(countOf('readTurn')),
    messages: range(messages),
    busiestMinute: range(({ summary }) => summary.fullestWindow?.mostAsked ?? 0),
    openTurns: range((rehearsed) => rehearsed.openTurns),
    newMessages: range(newMessages),
    dailyUse: range(dailyUse),
    dayIsKnown,
    refused: Object.fromEntries(limitNames.map((limit) => [limit, refused(limit)])) as Price['refused'],
    // Arrivals cut off by the end of a rehearsal would not be dropped in the run.
    drops: range(({ summary }) => summary.drops.total - (summary.drops.byReason.stopped ?? 0)),
    most: mostOf(all),
    ...(fast && { ifFast: { whole: fast.whole, ...mostOf([...all, fast]) } }),
  };
}

function mostOf(rehearsals: readonly Rehearsed[]): Unrefused {
  const most = (value: Value) => Math.max(...rehearsals.map(value));
  return {
    requests: most(requests),
    messages: most(messages),
    newMessages: most(newMessages),
    dailyUse: most(dailyUse),
  };
}

type Value = (rehearsed: Rehearsed) => number;

const countOf =
  (operation: OperationId): Value =>
  ({ summary }) =>
    summary.operations[operation]?.count ?? 0;
const tokens = countOf('issueToken');
const messages = countOf('sendMessage');
const requests: Value = ({ summary }) => Object.values(summary.operations).reduce((sum, { count }) => sum + count, 0);
const arrivals: Value = ({ summary }) =>
  Object.values(summary.journeys)
    .flatMap(({ byOutcome }) => Object.values(byOutcome))
    .reduce((sum, count) => sum + count, 0);
const newMessages: Value = ({ summary }) => summary.messages.newMessages;
const dailyUse: Value = (rehearsed) => rehearsed.dailyUse;
