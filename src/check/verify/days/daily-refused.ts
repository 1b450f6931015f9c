import type { WrongfulRefusal } from '../../certificates/certificate.ts';
import type { Recounted } from '../counted.ts';
import { greatest } from '../raw/extremes.ts';
import { stampsOfExchange } from '../raw/raw.ts';
import { mayBeRefusedBy } from '../raw/raw-codes.ts';
import { DAY_US, type Days, HOUR_US } from '../raw/raw-days.ts';
import type { RawExchange } from '../raw/raw-history.ts';
import type { ChargedMessage } from '../raw/raw-messages.ts';
import { countBelow, countUpTo } from '../raw/rising.ts';
import { type Bucket, calendarsOf, isOneZone } from './daily-bucket.ts';
import { daysOpenAt } from './first-use-days.ts';

/** What may have been charged before a refusal: how far back the quota may look, the most at one instant, and all such messages. */
interface Before {
  readonly refused: RawExchange;
  readonly backUs: number;
  readonly most: number;
  readonly charged: readonly ChargedMessage[];
}

/** Whether too few can have been charged before a refusal, and all of these are listed. */
export function holdsBefore(certificate: WrongfulRefusal, bucket: Bucket): boolean {
  const before = beforeRefusal(certificate, bucket, certificate.lookBackUs);
  const listed = new Set(certificate.exchanges);
  return (
    before !== undefined &&
    before.most < bucket.max &&
    before.charged.every(({ refs }) => refs.some((ref) => listed.has(ref)))
  );
}

/** What such a certificate has to print. If several attempts may represent a message, the certificate's choice applies. */
export function countedBefore(certificate: WrongfulRefusal, bucket: Bucket): Recounted | undefined {
  const { because, refusal } = certificate;
  const before = beforeRefusal(certificate, bucket, furthestBack(bucket));
  if (!before) return undefined;
  const listed = new Set(certificate.exchanges);
  const named = before.charged.flatMap(({ names }) => names.find(({ ref }) => listed.has(ref)) ?? names.slice(0, 1));
  const exchanges = named.map(({ ref }) => ref);
  return {
    members: { because, refusal, lookBackUs: before.backUs, observed: before.most, needed: bucket.max, exchanges },
    stamps: [...named, before.refused].map(({ exchange }) => stampsOfExchange(exchange, bucket.header)),
  };
}

/** @param furthest how far back any day may reach; `undefined` if the refusal cannot be judged */
function beforeRefusal(
  { refusal, reading, rule }: WrongfulRefusal,
  bucket: Bucket,
  furthest: number,
): Before | undefined {
  const { clock, messages, codes } = bucket;
  const refused = bucket.sent.find(({ ref }) => ref === refusal);
  if (!bucket.provable || !refused || refused.doubted || !mayBeRefusedBy(refused.exchange, 'daily', codes))
    return undefined;
  const { from, to } = refused.decided;
  const isAlone = (back: number) => from >= bucket.ownSince + back + clock.longUs;
  if (!isAlone(clock.longUs)) return undefined;
  const charged = messages.all.filter((one) => one.from <= to);
  if (rule === 'wrongful-refusal-first-use-day') return onItsDayOfUse(refused, charged, bucket);
  if (reading === 'every')
    return furthest >= leastBack(bucket) && isAlone(furthest) ? within(furthest, refused, charged) : undefined;
  const local = reading === 'token-timezone';
  const back = local ? longestDay(bucket) : clock.longUs;
  if (reading === 'rolling' || reading === 'first-use' || !Number.isFinite(clock.unsureUs))
    return !local || isAlone(back) ? within(back, refused, charged) : undefined;
  if (local && !isAlone(clock.longUs + 2 * HOUR_US)) return undefined;
  const every = calendarsOf(reading, bucket, [refused.decided, { from: Math.max(0, from - 2 * DAY_US), to }]);
  return every.length > 0 ? onItsDay(back, every, refused, charged) : undefined;
}

/**
 * Of the days begun by a message in which it may have been refused, the one on which most can have counted; the first if several
 * are equal.
 */
function onItsDayOfUse(refused: RawExchange, charged: readonly ChargedMessage[], bucket: Bucket): Before | undefined {
  const use = bucket.use();
  const begins = use && daysOpenAt(refused.decided, use);
  if (!begins) return undefined;
  const countedSince = (begin: number) => charged.filter(({ to }) => to >= begin);
  let [since, most] = [begins[0] ?? refused.decided.from, countedSince(begins[0] ?? Infinity).length];
  for (const begin of begins) {
    const { length } = countedSince(begin);
    if (length > most) [since, most] = [begin, length];
  }
  return { refused, backUs: Math.max(0, refused.decided.from - since), most, charged: countedSince(since) };
}

/** The longest duration of one local date over all tokens. */
const longestDay = (bucket: Bucket): number =>
  isOneZone(bucket) ? (bucket.clock.longUs * 26) / 24 : bucket.clock.longUs + 26 * HOUR_US;

/** The least look-back, whatever a day is; some hours more if the time of day is known. */
const leastBack = (bucket: Bucket): number =>
  longestDay(bucket) + (Number.isFinite(bucket.clock.unsureUs) ? 4 * bucket.clock.unsureUs : 0);

/** No day reaches back beyond this, whatever the service's clock shows at the end; if it was never seen, it is assumed to be right. */
function furthestBack(bucket: Bucket): number {
  const { clock, sent, messages, codes } = bucket;
  const refusals = sent.filter(({ exchange, doubted }) => !doubted && mayBeRefusedBy(exchange, 'daily', codes));
  const ends = [...messages.all.map(({ to }) => to), ...refusals.map(({ decided }) => decided.to)];
  const last = greatest([0, ...ends.filter(Number.isFinite)]);
  const unsureUs = Number.isFinite(clock.unsureUs) ? clock.unsureUs : clock.slackUs;
  return longestDay(bucket) + 4 * (unsureUs + clock.drift * last + HOUR_US);
}

/** @param charged messages charged until it was decided */
function within(backUs: number, refused: RawExchange, charged: readonly ChargedMessage[]): Before {
  const { from, to } = refused.decided;
  const instants = [from, ...charged.map((one) => one.from).filter((t) => t > from && t <= to)];
  const begins = Float64Array.from(charged, (one) => one.from).sort();
  const overFrom = Float64Array.from(charged, (one) => one.to + backUs).sort();
  // What no longer counts had begun, too.
  const countAt = (t: number) => countUpTo(begins, t) - countBelow(overFrom, t);
  const within = charged.filter((one) => one.to >= from - backUs);
  return { refused, backUs, most: greatest(instants.map(countAt)), charged: within };
}

/** For every calendar and every day of it on which the refusal may lie: what may have been charged since that day began. */
function onItsDay(
  backUs: number,
  every: readonly Days[],
  refused: RawExchange,
  charged: readonly ChargedMessage[],
): Before {
  let most = 0;
  const since = new Set<ChargedMessage>();
  for (const days of every) {
    const { first, last } = days(refused.decided);
    const ranges = charged.map((one) => ({ one, ...days(one) }));
    for (const { one, last: lastOfOne } of ranges) if (lastOfOne >= first) since.add(one);
    for (let day = first; day <= last; day++)
      most = Math.max(most, ranges.filter((range) => range.first <= day && day <= range.last).length);
  }
  return { refused, backUs, most, charged: [...since] };
}
