import { isTimezone, rememberedOf } from '../../../base/index.ts';
import type { Certificate } from '../../certificates/certificate.ts';
import { type Decided, inScope, ownSince } from '../raw/raw.ts';
import { type RawCodes, surelyRefusedBy } from '../raw/raw-codes.ts';
import { type Days, daysOfSeveral, HOUR_US, localDays, type RawClock, rawClock, utcDays } from '../raw/raw-days.ts';
import type { RawExchange, RawHistory } from '../raw/raw-history.ts';
import { RawMessages } from '../raw/raw-messages.ts';
import type { RawDaysOfUse } from './first-use-days.ts';

/** The messages that count together, and what is known of the quota. */
export interface Bucket {
  readonly sent: readonly RawExchange[];
  readonly messages: RawMessages;
  /** For days that begin with a message. */
  readonly use: () => RawDaysOfUse | undefined;
  readonly header: RawHistory['header'];
  readonly codes: RawCodes;
  /** Zones for which tokens were requested; a single one if it is the same for all. Absent: each token may have any. */
  readonly zones: readonly string[] | undefined;
  readonly firstSent: number;
  readonly clock: RawClock;
  readonly max: number;
  readonly provable: boolean;
  readonly flushed: boolean;
  /** From then on everything decided is in the history; −∞ if nothing was charged before it. */
  readonly ownSince: number;
}

/** By scope: some dozens of certificates may be about the same bucket, which may hold a million messages. */
const bucketsOf = rememberedOf((_: RawHistory) => new Map<string, Bucket>());

export function bucketOf({ scope }: Certificate, history: RawHistory): Bucket {
  const [buckets, key] = [bucketsOf(history), JSON.stringify(scope)];
  const bucket = buckets.get(key) ?? makeBucket(scope, history);
  buckets.set(key, bucket);
  return bucket;
}

function makeBucket(scope: Certificate['scope'], history: RawHistory): Bucket {
  const { header, timeline, complete } = history;
  const all = history.exchanges.filter(({ exchange }) => exchange.operation === 'sendMessage');
  const sent = all.filter(({ exchange }) => inScope(exchange, scope));
  const messages = new RawMessages(sent, history);
  return {
    sent,
    messages,
    use: () => usedBy(scope, history, sent, messages),
    header,
    codes: history,
    zones: zonesOf(history, sent),
    firstSent: all.reduce((first, { decided }) => Math.min(first, decided.from), Number.POSITIVE_INFINITY),
    clock: rawClock(history),
    max: header.limits.daily.max,
    provable: header.exclusive && complete,
    flushed: header.flushed.daily === true,
    ownSince: ownSince('daily', header, timeline),
  };
}

/** `undefined` if something may have been charged that is not in the history. */
function usedBy(
  scope: Certificate['scope'],
  history: RawHistory,
  sent: readonly RawExchange[],
  messages: RawMessages,
): RawDaysOfUse | undefined {
  const { header, complete, exchanges } = history;
  const isMissed = ({ exchange }: RawExchange) =>
    exchange.operation === 'sendMessage' && scope.token !== undefined && exchange.token === undefined;
  if (!header.exclusive || !complete || header.flushed.daily !== true || exchanges.some(isMissed)) return undefined;
  const tries = sent.filter(({ exchange, doubted }) => doubted || !surelyRefusedBy(exchange, 'daily', history));
  const { shortUs, longUs } = rawClock(history);
  return { tries: tries.map(({ decided }) => decided), sure: messages.allSurelyNew(), shortUs, longUs };
}

function zonesOf({ header }: RawHistory, sent: readonly RawExchange[]): Bucket['zones'] {
  const tokens = sent.map(({ exchange }) => JSON.stringify([exchange.application, exchange.user, exchange.token]));
  if (new Set(tokens).size <= 1) return [];
  return header.timezones?.every(isTimezone) ? header.timezones : undefined;
}

export const isOneZone = ({ zones }: Bucket): boolean => zones !== undefined && zones.length < 2;

/** Every way in which the service may divide time into days. */
export function calendarsOf(reading: string, { clock, zones }: Bucket, over: readonly Decided[]): Days[] {
  if (reading === 'utc') return [utcDays(clock, 0, 0)];
  if (reading !== 'token-timezone') return [];
  if (!zones) return [utcDays(clock, -12 * HOUR_US, 14 * HOUR_US)];
  const oneForAll = localDays(clock, over);
  return zones.length > 1 ? [...oneForAll, daysOfSeveral(clock, zones)] : oneForAll;
}
