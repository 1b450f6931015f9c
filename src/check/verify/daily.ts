import { isTimezone } from '../../base/index.ts';
import type { Certificate, OverAdmission, WrongfulRefusal } from '../certificate.ts';
import type { RawExchange, RawHistory } from './certificate.ts';
import { type Decided, inScope, mayBeRefusedBy, ownSince } from './raw.ts';
import { type Days, daysOfSeveral, localDays, type RawClock, rawClock, utcDays } from './raw-days.ts';
import { type ChargedMessage, RawMessages } from './raw-messages.ts';

const DAY_US = 86_400_000_000;
const HOUR_US = 3_600_000_000;

/** Whether a certificate of the day quota holds: messages counted one by one, day by day. */
export function verifiesDaily(certificate: Certificate, history: RawHistory): boolean {
  if ('arcs' in certificate || certificate.max !== history.header.limits.daily.max) return false;
  const sent = history.exchanges.filter(
    ({ exchange }) => exchange.operation === 'sendMessage' && inScope(exchange, certificate.scope),
  );
  const bucket: Bucket = {
    messages: new RawMessages(sent, history),
    zones: zonesOf(history, sent),
    firstSent: history.exchanges.reduce(
      (first, { exchange, decided }) => (exchange.operation === 'sendMessage' ? Math.min(first, decided.from) : first),
      Number.POSITIVE_INFINITY,
    ),
    clock: rawClock(history),
    max: certificate.max,
    provable: history.header.exclusive && history.complete,
    flushed: history.header.flushed.daily === true,
    ownSince: ownSince('daily', history.header, history.timeline),
  };
  return certificate.because === 'over-admission'
    ? holdsMessages(certificate, bucket)
    : holdsRefusal(certificate, history, sent, bucket);
}

function zonesOf({ header }: RawHistory, sent: readonly RawExchange[]): Bucket['zones'] {
  const tokens = sent.map(({ exchange }) => JSON.stringify([exchange.application, exchange.user, exchange.token]));
  if (new Set(tokens).size <= 1) return [];
  return header.timezones?.every(isTimezone) ? header.timezones : undefined;
}

const isOneZone = ({ zones }: Bucket): boolean => zones !== undefined && zones.length < 2;

interface Bucket {
  readonly messages: RawMessages;
  /** That tokens were asked for with; one where it is the same for all. Absent: each may have any. */
  readonly zones: readonly string[] | undefined;
  readonly firstSent: number;
  readonly clock: RawClock;
  readonly max: number;
  readonly provable: boolean;
  readonly flushed: boolean;
  /** From then on nothing is decided but what the history has; −∞ where nothing was charged before it. */
  readonly ownSince: number;
}

function holdsMessages({ exchanges, reading }: OverAdmission, bucket: Bucket): boolean {
  const { max, clock } = bucket;
  const charged = bucket.messages.surelyNew(exchanges);
  if (!charged || charged.length <= max) return false;
  const end = Math.max(...charged.map(({ to }) => to));
  const span = end - Math.min(...charged.map(({ from }) => from));
  const begun = (shortUs: number) => (shortUs > 0 ? Math.floor(span / shortUs) + 1 : Number.POSITIVE_INFINITY);
  const count = charged.length;
  // No day is shorter than 22 hours, and only a day of one zone is one day.
  if (reading === 'every') return isOneZone(bucket) && count > max * (begun((clock.shortUs * 22) / 24) + 1);
  if (reading === 'rolling') return count > max * begun(clock.shortUs);
  if (reading === 'first-use') {
    const days = Math.floor((count - 1) / max);
    const anchored = bucket.provable && bucket.flushed && end - bucket.firstSent < days * clock.shortUs;
    return anchored || count > max * begun(clock.shortUs) + max - 1;
  }
  if (!Number.isFinite(clock.unsureUs)) {
    const shortUs = reading === 'utc' ? clock.shortUs : (clock.shortUs * 22) / 24;
    return (reading === 'utc' || isOneZone(bucket)) && count > max * (begun(shortUs) + 1);
  }
  const every = calendarsOf(reading, bucket, charged);
  return (
    every.length > 0 &&
    every.every((days) =>
      noRoom(
        charged.map((one) => days(one)),
        max,
      ),
    )
  );
}

/** Every way in which the service may divide time into days. */
function calendarsOf(reading: string, { clock, zones }: Bucket, over: readonly Decided[]): Days[] {
  if (reading === 'utc') return [utcDays(clock, 0, 0)];
  if (reading !== 'token-timezone') return [];
  if (!zones) return [utcDays(clock, -12 * HOUR_US, 14 * HOUR_US)];
  const oneForAll = localDays(clock, over);
  return zones.length > 1 ? [...oneForAll, daysOfSeveral(clock, zones)] : oneForAll;
}

/** More messages than days in a row can hold (each may lie in any day of its range). */
function noRoom(ranges: readonly { first: number; last: number }[], max: number): boolean {
  const lasts = new Set(ranges.map(({ last }) => last));
  return [...new Set(ranges.map(({ first }) => first))].some((first) =>
    [...lasts].some(
      (last) =>
        last >= first &&
        ranges.filter((range) => range.first >= first && range.last <= last).length > max * (last - first + 1),
    ),
  );
}

function holdsRefusal(
  certificate: WrongfulRefusal,
  { words }: RawHistory,
  sent: readonly RawExchange[],
  bucket: Bucket,
): boolean {
  const { clock, max, messages } = bucket;
  const refused = sent.find(({ ref }) => ref === certificate.refusal);
  if (!bucket.provable || !refused || refused.doubted || !mayBeRefusedBy(refused.exchange, 'daily', words))
    return false;
  const { from, to } = refused.decided;
  const isAlone = (back: number) => from >= bucket.ownSince + back + clock.longUs;
  if (!isAlone(clock.longUs)) return false;
  const charged = messages.all
    .map(({ refs, windows }) => ({ refs, windows: windows.filter((window) => window.from <= to) }))
    .filter(({ windows }) => windows.length > 0);
  const listed = new Set(certificate.exchanges);
  const proves: Proves = (counted) =>
    counted.length < max && counted.every(({ refs }) => refs.some((ref) => listed.has(ref)));
  const { reading } = certificate;
  if (reading === 'every') {
    const back = certificate.lookBackUs;
    return back >= furthestBack(bucket) && isAlone(back) && provesWithin(back, refused.decided, charged, proves);
  }
  const local = reading === 'token-timezone';
  if (reading === 'rolling' || reading === 'first-use' || !Number.isFinite(clock.unsureUs)) {
    const back = local ? longestDay(bucket) : clock.longUs;
    if (local && !isAlone(back)) return false;
    return provesWithin(back, refused.decided, charged, proves);
  }
  if (local && !isAlone(clock.longUs + 2 * HOUR_US)) return false;
  const every = calendarsOf(reading, bucket, [refused.decided, { from: Math.max(0, from - 2 * DAY_US), to }]);
  return every.length > 0 && every.every((days) => provesEachDay(days, refused.decided, charged, proves));
}

/** What was charged before a refusal, and when it may have been. */
type ChargedBefore = Pick<ChargedMessage, 'refs' | 'windows'>;
type Proves = (counted: readonly ChargedBefore[]) => boolean;

/** How long one local date may last over all tokens. */
const longestDay = (bucket: Bucket): number =>
  isOneZone(bucket) ? (bucket.clock.longUs * 26) / 24 : bucket.clock.longUs + 26 * HOUR_US;

/** At least so far back whatever is a day, and some hours more where it is known what time it was. */
const furthestBack = (bucket: Bucket): number =>
  longestDay(bucket) + (Number.isFinite(bucket.clock.unsureUs) ? 4 * bucket.clock.unsureUs : 0);

/** Whether, at whatever instant it was refused, what was charged until then proves it. @param charged until it was decided */
function provesWithin(back: number, { from }: Decided, charged: readonly ChargedBefore[], proves: Proves): boolean {
  const begins = charged.flatMap(({ windows }) => windows.map((window) => window.from));
  const isWithin = (window: Decided, t: number) => window.from <= t && window.to >= t - back;
  return [from, ...begins.filter((t) => t > from)].every((t) =>
    proves(charged.filter(({ windows }) => windows.some((window) => isWithin(window, t)))),
  );
}

function provesEachDay(days: Days, refused: Decided, charged: readonly ChargedBefore[], proves: Proves): boolean {
  const { first, last } = days(refused);
  const ranges = charged.map(({ windows }) => windows.map(days));
  for (let day = first; day <= last; day++) {
    const isOf = (range: { readonly first: number; readonly last: number }) => range.first <= day && day <= range.last;
    if (!proves(charged.filter((_, i) => ranges[i]?.some(isOf)))) return false;
  }
  return true;
}
