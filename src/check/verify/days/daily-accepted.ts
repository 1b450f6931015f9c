import type { OverAdmission } from '../../certificates/certificate.ts';
import type { Recounted } from '../counted.ts';
import { isAnySpared, spanOf } from '../over-admission.ts';
import { greatest } from '../raw/extremes.ts';
import { type Decided, stampsOfExchange } from '../raw/raw.ts';
import { type Bucket, calendarsOf, isOneZone } from './daily-bucket.ts';
import { shareADay } from './first-use-days.ts';

/** Whether more messages were certainly new and accepted than the days of a reading can hold. */
export function holdsAccepted({ exchanges, reading, rule }: OverAdmission, bucket: Bucket): boolean {
  const charged = bucket.messages.surelyNew(exchanges);
  if (!charged || charged.length <= bucket.max) return false;
  if (rule === 'first-use-day-chain') {
    const use = bucket.use();
    return use !== undefined && shareADay(charged, use);
  }
  if (!isByCalendar(reading, bucket))
    return (
      charged.length > mostSinceFirst(reading, charged, bucket) ||
      charged.length > mostWithin(reading, bucket)(spanOf(charged))
    );
  const every = rangesOf(reading, charged, bucket);
  return every.length > 0 && every.every((ranges) => noRoom(countsOf(ranges), bucket.max));
}

/** What such a certificate has to print: without any one message there is room. */
export function countedAccepted(certificate: OverAdmission, bucket: Bucket): Recounted | undefined {
  const { because, exchanges } = certificate;
  const charged = bucket.messages.surelyNew(exchanges);
  const refs = new Set(exchanges);
  const named = charged?.flatMap(({ names }) => names.find(({ ref }) => refs.has(ref)) ?? []);
  if (!charged || named?.length !== exchanges.length) return undefined;
  const observed = charged.length;
  const possible = mostAllowed(certificate, charged, bucket);
  if (possible !== observed - 1) return undefined;
  return {
    members: { because, spanUs: spanOf(charged), observed, possible, exchanges },
    stamps: named.map(({ exchange }) => stampsOfExchange(exchange, bucket.header)),
  };
}

function mostAllowed(
  { reading, rule }: OverAdmission,
  charged: readonly Decided[],
  bucket: Bucket,
): number | undefined {
  if (rule === 'first-use-day-chain') return bucket.max;
  return isByCalendar(reading, bucket)
    ? mostByCalendar(reading, charged, bucket)
    : mostBySpan(reading, charged, bucket);
}

const isByCalendar = (reading: string, { clock }: Bucket): boolean =>
  (reading === 'utc' || reading === 'token-timezone') && Number.isFinite(clock.unsureUs);

/** No day of a single zone is shorter. */
const SHORTEST = 22 / 24;

/** The most that can be accepted within a span, wherever days begin; ∞ if the reading limits no span. */
function mostWithin(reading: string, bucket: Bucket): (spanUs: number) => number {
  const { max, clock } = bucket;
  const days = (shortUs: number, before: number) => (spanUs: number) =>
    shortUs > 0 ? max * (Math.floor(spanUs / shortUs) + 1) + before : Number.POSITIVE_INFINITY;
  if (reading === 'rolling') return days(clock.shortUs, 0);
  // A day that began before the span need not have counted the message that began it: it may have been refused, or invalid.
  if (reading === 'first-use' || reading === 'utc') return days(clock.shortUs, max);
  // A date is one day only if there is a single zone.
  return isOneZone(bucket) ? days(clock.shortUs * SHORTEST, max) : () => Number.POSITIVE_INFINITY;
}

/** If nothing had been charged before the run, the first day of first use began no earlier than the first message was sent. */
function mostSinceFirst(reading: string, charged: readonly Decided[], bucket: Bucket): number {
  const { max, clock, firstSent, provable, flushed } = bucket;
  const since = greatest(charged.map(({ to }) => to)) - firstSent;
  const isKnown = reading === 'first-use' && provable && flushed && clock.shortUs > 0 && Number.isFinite(since);
  return isKnown ? max * (Math.floor(since / clock.shortUs) + 1) : Number.POSITIVE_INFINITY;
}

/** The most that the reading allows for these; `undefined` if they would still be too many without one of them. */
function mostBySpan(reading: string, charged: readonly Decided[], bucket: Bucket): number | undefined {
  const since = mostSinceFirst(reading, charged, bucket);
  if (charged.length > since) return since;
  const most = mostWithin(reading, bucket);
  return isAnySpared(charged, most) ? undefined : most(spanOf(charged));
}

interface Range {
  readonly first: number;
  readonly last: number;
}

/** By calendar, the range of days in which each message may lie. */
const rangesOf = (reading: string, charged: readonly Decided[], bucket: Bucket): Range[][] =>
  calendarsOf(reading, bucket, charged).map((days) => charged.map((one) => days(one)));

/** One less than all of them, provided that whichever is left out, some calendar has room for the others. */
function mostByCalendar(reading: string, charged: readonly Decided[], bucket: Bucket): number | undefined {
  const every = rangesOf(reading, charged, bucket);
  const counts = every.map(countsOf);
  const hasRoom = (without: number) =>
    counts.some((all, k) => !noRoom(lessOne(all, every[k]?.[without] as Range), bucket.max));
  // Of those that may lie on the same days, whichever calendar applies, it does not matter which is left out.
  const daysOf = (i: number) => every.map((ranges) => `${ranges[i]?.first} ${ranges[i]?.last}`).join();
  const unlike = new Map(charged.map((_, i) => [daysOf(i), i]));
  return [...unlike.values()].every(hasRoom) ? charged.length - 1 : undefined;
}

/** How many messages may lie on the days of a range. */
interface Count extends Range {
  readonly count: number;
}

function countsOf(ranges: readonly Range[]): Count[] {
  const counts = new Map<string, Count>();
  for (const { first, last } of ranges) {
    const key = `${first} ${last}`;
    counts.set(key, { first, last, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return [...counts.values()];
}

const lessOne = (counts: readonly Count[], { first, last }: Range): Count[] =>
  counts.map((one) => (one.first === first && one.last === last ? { ...one, count: one.count - 1 } : one));

/** Whether there are more messages than consecutive days can hold (each may lie on any day of its range). */
const noRoom = (counts: readonly Count[], max: number): boolean =>
  counts.some(({ first }) =>
    counts.some(({ last }) => {
      const within = counts.filter((one) => one.first >= first && one.last <= last);
      return last >= first && within.reduce((sum, { count }) => sum + count, 0) > max * (last - first + 1);
    }),
  );
