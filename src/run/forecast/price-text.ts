import type { LimitName, TargetProfile } from '../../api/index.ts';
import { formatDuration } from '../../base/index.ts';
import { formatCount, plural } from '../../report/index.ts';
import type { LoadedScenario } from '../../scenario/index.ts';
import { ownLimits } from '../target/sandbox-limits.ts';
import type { Price, Range } from './price.ts';
import { FAST_ROUND_TRIP_US, REMOTE_ROUND_TRIP_US } from './rehearse.ts';

/** `12`, or `12 to 31`. */
const span = ({ low, high }: Range): string =>
  low === high ? formatCount(low) : `${formatCount(low)} to ${formatCount(high)}`;

interface PriceSurroundings {
  /** How many rounds will run; the price is that of one. Default 1. */
  readonly rounds?: number;
  /** The scenario, if its target is the embedded sandbox, for which it may set other limits than the profile. */
  readonly embedded?: Pick<LoadedScenario, 'scenario'> | undefined;
}

/** The price as text: what will be sent, what the declared limits allow, and what will be refused and why. */
export function renderPrice(
  price: Price,
  limits: TargetProfile['limits'],
  { rounds = 1, embedded }: PriceSurroundings = {},
): string {
  const lengths = [price.durationUs.low, price.durationUs.high].map(formatDuration);
  const rows: [string, string][] = [
    ['journeys', `${span(price.arrivals)}${price.drops.high > 0 ? `, ${span(price.drops)} dropped by caps` : ''}`],
    ['lasts', lengths[0] === lengths[1] ? `about ${lengths[0]}` : `about ${lengths[0]} to ${lengths[1]}`],
    ...cutShortRow(price),
    [
      'requests',
      `${span(price.requests)} (polls: ${span(price.polls)}), and ${span(price.tokens)} for tokens${nothingSent(price)}`,
    ],
    ['messages', `${span(price.messages)}, and ${span(price.newMessages)} of them accepted as new`],
    ...limitRows(price, limits, embedded),
    ...unrefusedRow(price),
    ...ifFastRow(price),
    ...(rounds > 1 ? [roundsRow(price, limits, rounds)] : []),
  ];
  const lines = rows.map(([label, text]) => `${label.padEnd(12)} ${text}`);
  if (!price.whole)
    lines.push('', 'The plan is too long to rehearse in full: every number is a lower bound, from its beginning.');
  return `${lines.join('\n')}\n`;
}

/** A journey without a conversation stops at its first message, and nothing else would say so before the run. */
const nothingSent = ({ whole, arrivals, requests, tokens }: Price): string =>
  whole && arrivals.high > 0 && requests.high + tokens.high === 0
    ? '; nothing will be sent: every journey ends or stops before its first request (messages and reads need a createConversation before them)'
    : '';

function cutShortRow({ cutShort }: Price): [string, string][] {
  if (cutShort === undefined) return [];
  const { by, atUs, arrivals, notStarted, interrupted } = cutShort;
  const left = [
    ...(notStarted.high > 0 ? [`${span(notStarted)} of ${plural(arrivals, 'arrival')} not started`] : []),
    ...(interrupted.high > 0
      ? [`${span(interrupted)} ${interrupted.high === 1 ? 'journey' : 'journeys'} broken off`]
      : []),
  ];
  return [
    ['cut short', `by its ${by} after ${formatDuration(atUs)}: ${left.join(', ') || 'before its users are done'}`],
  ];
}

/** A round starts as soon as the previous one ends, so several may count in one window of the service. */
function roundsRow(price: Price, { rate, daily }: TargetProfile['limits'], rounds: number): [string, string] {
  const inAWindow = Math.min(rounds, Math.floor((rate.window * 1_000) / Math.max(1, price.durationUs.low)) + 1);
  const requests = inAWindow * price.busiestMinute.high;
  const messages = rounds * price.dailyUse.high;
  const isMore = requests > rate.max || messages > daily.max;
  const isWithin = price.whole ? 'within the limits' : 'what comes after this beginning is unknown';
  const result = isMore ? 'requests above a limit will be refused' : isWithin;
  const use = `${formatCount(requests)} of ${formatCount(rate.max)} requests per ${windowName(rate.window)} and ${formatCount(messages)} of ${formatCount(daily.max)} new messages a day`;
  return ['rounds', `${rounds} without pauses: about ${use} in all; ${result}`];
}

const windowName = (windowMs: number): string => (windowMs === 60_000 ? 'minute' : formatDuration(windowMs * 1_000));

/** What a limit refuses. */
const EXCESS: Readonly<Record<LimitName, (limit: { max: number; window: number }) => string>> = {
  rate: ({ max, window }) => `more than ${plural(max, 'request')} per ${windowName(window)}`,
  concurrency: ({ max }) => `more than ${plural(max, 'turn')} in process`,
  daily: ({ max }) => `more than ${plural(max, 'new message')} a day`,
};

function whyRefused(name: LimitName, limits: TargetProfile['limits'], embedded: PriceSurroundings['embedded']): string {
  const declared = { window: limits.rate.window, ...limits[name] };
  const [own, ...others] = embedded === undefined ? [] : ownLimits(embedded, name);
  if (others.length > 0) return 'several limits set for the sandbox';
  const excess = EXCESS[name]({ ...declared, ...own });
  return excess === EXCESS[name](declared) ? excess : `${excess}, set for the sandbox`;
}

function limitRows(
  price: Price,
  limits: TargetProfile['limits'],
  embedded: PriceSurroundings['embedded'],
): [string, string][] {
  const { rate, concurrency, daily } = limits;
  const minutes = windowName(rate.window);
  const refusal = (limit: LimitName, { high }: Range) => {
    if (price.refused[limit].high > 0)
      return `${span(price.refused[limit])} will be refused: ${whyRefused(limit, limits, embedded)}`;
    if (!price.whole) return 'what comes after this beginning is unknown';
    // The service may admit more than the number in one window: a token bucket, or a sandbox with other limits than the profile.
    return high > limits[limit].max ? 'none will be refused' : 'within the limit';
  };
  const { low, high } = price.dailyUse;
  const unsure = price.dayIsKnown || low === high ? '' : ", depending on when the service's day ends";
  return [
    [
      'rate',
      `busiest ${minutes} ${span(price.busiestMinute)} of ${formatCount(rate.max)}; ${refusal('rate', price.busiestMinute)}`,
    ],
    [
      'concurrency',
      `open turns ${span(price.openTurns)} of ${formatCount(concurrency.max)}; ${refusal('concurrency', price.openTurns)}`,
    ],
    [
      'daily',
      `new messages ${span(price.dailyUse)} of ${formatCount(daily.max)} on the busiest day${unsure}; ${refusal('daily', price.dailyUse)}`,
    ],
  ];
}

function unrefusedRow({ most, requests, tokens, newMessages, dailyUse }: Price): [string, string][] {
  const isMore =
    most.requests > requests.high + tokens.high || most.newMessages > newMessages.high || most.dailyUse > dailyUse.high;
  if (!isMore) return [];
  return [['unrefused', `${sentUnrefused(most)}, if the service refuses nothing`]];
}

function ifFastRow({ ifFast }: Price): [string, string][] {
  if (ifFast === undefined) return [];
  const [fast, usual] = [FAST_ROUND_TRIP_US, REMOTE_ROUND_TRIP_US].map(formatDuration);
  const bound = ifFast.whole ? 'up to' : 'at least';
  return [
    ['if fast', `${bound} ${sentUnrefused(ifFast)}, if it refuses nothing and answers in ${fast} instead of ${usual}`],
  ];
}

function sentUnrefused({ requests, newMessages, dailyUse }: Price['most']): string {
  const ofADay = dailyUse === newMessages ? '' : ` (${formatCount(dailyUse)} on the busiest day)`;
  return `${plural(requests, 'request')} and ${plural(newMessages, 'new message')}${ofADay}`;
}
