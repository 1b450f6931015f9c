import { type LimitName, limitNames, type TargetProfile } from '../api/index.ts';
import { formatDuration } from '../base/index.ts';
import type { Summary } from '../collect/index.ts';
import { formatCount, plural } from '../report/index.ts';

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
  /** New messages accepted on the fullest day. */
  readonly dailyUse: Range;
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
    /** New messages accepted on the fullest day. */
    readonly dailyUse: number;
  };
}

interface Rehearsed {
  readonly summary: Summary;
  readonly whole: boolean;
  readonly durationUs: number;
  /** Most turns in process at once, of one of those for whom the limit is counted. */
  readonly openTurns: number;
}

/**
 * @param rehearsals at the declared limits
 * @param unlimited rehearsals without limits; default none
 */
export function priceOf(rehearsals: readonly Rehearsed[], unlimited: readonly Rehearsed[] = []): Price {
  const range = (value: (rehearsed: Rehearsed) => number): Range => {
    const values = rehearsals.map(value);
    return { low: Math.min(...values), high: Math.max(...values) };
  };
  const operation = (name: keyof Summary['operations']) => (rehearsed: Rehearsed) =>
    rehearsed.summary.operations[name]?.count ?? 0;
  const all = ({ summary }: Rehearsed) => Object.values(summary.operations).reduce((sum, { count }) => sum + count, 0);
  const dailyUse = ({ summary }: Rehearsed) => summary.fullestDay?.used ?? 0;
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
    dailyUse: range(dailyUse),
    refused: Object.fromEntries(limitNames.map((limit) => [limit, refused(limit)])) as Price['refused'],
    // Those that the end of a rehearsal cut off are no drops of the run's.
    drops: range(({ summary }) => summary.drops.total - (summary.drops.byReason.stopped ?? 0)),
    most: {
      requests: most(all),
      messages: most(operation('sendMessage')),
      dailyUse: most(dailyUse),
    },
  };
}

/** `12`, or `12 to 31`. */
const span = ({ low, high }: Range): string =>
  low === high ? formatCount(low) : `${formatCount(low)} to ${formatCount(high)}`;

/** The price for people: what will be sent, what the declared limits allow, and what will be refused and why. */
export function renderPrice(price: Price, limits: TargetProfile['limits']): string {
  const minutes = limits.rate.window === 60_000 ? 'minute' : formatDuration(limits.rate.window * 1_000);
  const refusal = (limit: LimitName, why: string) =>
    price.refused[limit].high === 0 ? 'within the limit' : `${span(price.refused[limit])} will be refused: ${why}`;
  const lengths = [price.durationUs.low, price.durationUs.high].map(formatDuration);
  const rows: [string, string][] = [
    ['journeys', `${span(price.arrivals)}${price.drops.high > 0 ? `, ${span(price.drops)} dropped by caps` : ''}`],
    ['lasts', lengths[0] === lengths[1] ? `about ${lengths[0]}` : `about ${lengths[0]} to ${lengths[1]}`],
    ['requests', `${span(price.requests)} (polls: ${span(price.polls)}), and ${span(price.tokens)} for tokens`],
    [
      'rate',
      `busiest ${minutes} ${span(price.busiestMinute)} of ${limits.rate.max}; ${refusal('rate', `more than ${plural(limits.rate.max, 'request')} per ${minutes}`)}`,
    ],
    [
      'concurrency',
      `open turns ${span(price.openTurns)} of ${limits.concurrency.max}; ${refusal('concurrency', `more than ${plural(limits.concurrency.max, 'turn')} in process`)}`,
    ],
    [
      'daily',
      `new messages ${span(price.dailyUse)} of ${limits.daily.max}; ${refusal('daily', `more than ${plural(limits.daily.max, 'new message')} a day`)}`,
    ],
  ];
  const { most } = price;
  if (most.requests > price.requests.high + price.tokens.high || most.dailyUse > price.dailyUse.high)
    rows.push([
      'unrefused',
      `${plural(most.requests, 'request')} and ${plural(most.dailyUse, 'new message')}, should the service refuse nothing`,
    ]);
  const lines = rows.map(([label, text]) => `${label.padEnd(12)} ${text}`);
  if (!price.whole)
    lines.push('', 'The plan is too long to rehearse wholly: every number is a lower bound, of its beginning.');
  return `${lines.join('\n')}\n`;
}
