import { type LimitName, limitNames } from '../api/index.ts';
import type { Summary } from '../collect/index.ts';

/** From a rehearsal with short turns to one with long turns that goes on with earlier conversations; the smaller number first. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

/** What a plan costs and meets at the declared limits, told before anything is sent. */
export interface Price {
  /** False: the plan is longer than a rehearsal; every count is a lower bound. */
  readonly whole: boolean;
  readonly durationUs: Range;
  readonly arrivals: Range;
  readonly tokens: Range;
  /** Of every kind but those for tokens, retries and polls included, whether or not they count towards a limit. */
  readonly requests: Range;
  /** Of these, readTurn. */
  readonly polls: Range;
  /** Attempts to send a message, resends included. */
  readonly messages: Range;
  /**
   * Requests in the fullest window of the rate limit (a minute, unless the profile declares another), refused ones included,
   * of one of those for whom the limit is counted.
   */
  readonly busiestMinute: Range;
  /** At once, of one of those for whom the limit is counted. */
  readonly openTurns: Range;
  /** New messages accepted in all. */
  readonly newMessages: Range;
  /** Of these, on the fullest day. */
  readonly dailyUse: Range;
  /** False: when the service's day turns is not known. `dailyUse` is then that of UTC days and of the fullest 24 hours. */
  readonly dayIsKnown: boolean;
  readonly refused: Readonly<Record<LimitName, Range>>;
  /** Arrivals that caps leave out. */
  readonly drops: Range;
  /**
   * The same of a service that admits whatever comes, where that is more: what a budget is held against. A forecast like the others:
   * a service whose turns take longer than assumed is polled more often. What is never exceeded is the budget (`runBudget`).
   */
  readonly most: {
    /** Of every kind, those for tokens included. */
    readonly requests: number;
    readonly messages: number;
    /** New messages accepted in all. */
    readonly newMessages: number;
    /** Of these, on the fullest day. */
    readonly dailyUse: number;
  };
}

interface Rehearsed {
  readonly summary: Summary;
  readonly whole: boolean;
  readonly durationUs: number;
  /** Most turns in process at once, of one of those for whom the limit is counted. */
  readonly openTurns: number;
  /** New messages accepted on the fullest day. */
  readonly dailyUse: number;
}

/**
 * @param dayIsKnown whether all rehearsals played the service's own day
 * @param rehearsals at the declared limits
 * @param unlimited rehearsals without limits; default none
 */
export function priceOf(
  dayIsKnown: boolean,
  rehearsals: readonly Rehearsed[],
  unlimited: readonly Rehearsed[] = [],
): Price {
  const range = (value: (rehearsed: Rehearsed) => number): Range => {
    const values = rehearsals.map(value);
    return { low: Math.min(...values), high: Math.max(...values) };
  };
  const operation = (name: keyof Summary['operations']) => (rehearsed: Rehearsed) =>
    rehearsed.summary.operations[name]?.count ?? 0;
  const all = ({ summary }: Rehearsed) => Object.values(summary.operations).reduce((sum, { count }) => sum + count, 0);
  const newMessages = ({ summary }: Rehearsed) => summary.messages.newMessages;
  const dailyUse = (rehearsed: Rehearsed) => rehearsed.dailyUse;
  const most = (value: (rehearsed: Rehearsed) => number) => Math.max(...[...rehearsals, ...unlimited].map(value));
  const refused = (limit: LimitName) => range(({ summary }) => summary.refusals.byLimit[limit]);
  return {
    whole: [...rehearsals, ...unlimited].every((rehearsed) => rehearsed.whole),
    durationUs: range((rehearsed) => rehearsed.durationUs),
    arrivals: range(({ summary }) =>
      Object.values(summary.journeys).reduce(
        (sum, journey) => sum + Object.values(journey.byOutcome).reduce((a, b) => a + b, 0),
        0,
      ),
    ),
    tokens: range(operation('issueToken')),
    requests: range((rehearsed) => all(rehearsed) - operation('issueToken')(rehearsed)),
    polls: range(operation('readTurn')),
    messages: range(operation('sendMessage')),
    busiestMinute: range(({ summary }) => summary.fullestWindow?.mostAsked ?? 0),
    openTurns: range((rehearsed) => rehearsed.openTurns),
    newMessages: range(newMessages),
    dailyUse: range(dailyUse),
    dayIsKnown,
    refused: Object.fromEntries(limitNames.map((limit) => [limit, refused(limit)])) as Price['refused'],
    // Those that the end of a rehearsal cut off are no drops of the run's.
    drops: range(({ summary }) => summary.drops.total - (summary.drops.byReason.stopped ?? 0)),
    most: {
      requests: most(all),
      messages: most(operation('sendMessage')),
      newMessages: most(newMessages),
      dailyUse: most(dailyUse),
    },
  };
}
