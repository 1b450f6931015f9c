import type { Day } from '../../api/index.ts';
import { groupedBy, isTimezone, type Micros } from '../../base/index.ts';
import { type AcceptedMessage, bucketOf } from '../../collect/index.ts';
import { settle } from '../../sandbox/index.ts';
import { askedTimezones, type LoadedScenario } from '../../scenario/index.ts';
import { participantsOf } from '../../schedule/index.ts';
import { dayOf } from '../target/sandbox-limits.ts';
import { sandboxSettings } from '../target/target.ts';

/** Two kinds of day that bracket the service's own. `low`: the one under which fewer messages meet the quota. */
interface PricedDays {
  readonly low: Day;
  /** If the day's kind, zone or beginning is unknown: any 24 hours, because no service counts more of them together. */
  readonly high: Day;
  readonly known: boolean;
}

const DAY_US = 86_400_000_000;
/** In one zone: in Antarctica/Troll clocks change by two hours. */
const LARGEST_CHANGE_US = 7_200_000_000;

export function pricedDays(loaded: LoadedScenario, embedded: boolean): PricedDays {
  if (embedded) {
    const [daily] = settle(sandboxSettings(loaded)).limits.daily;
    const day = daily?.day ?? 'utc';
    return { low: day, high: day, known: true };
  }
  const { exclusive, flushed, limits } = loaded.profile;
  const day = dayOf(limits.daily);
  const known = {
    utc: true,
    'token-timezone': zoneOfTokens(loaded, false) !== undefined,
    'first-use': exclusive && flushed.daily,
    rolling: true,
  };
  if (day === 'unknown') return { low: 'utc', high: 'rolling', known: false };
  return known[day] ? { low: day, high: day, known: true } : { low: day, high: 'rolling', known: false };
}

/**
 * How long the service may count messages towards one date: longer than a day where clocks change, and where tokens have several time
 * zones, because a date begins in one before it begins in another. Whatever the run's date, so that the plan is the same.
 */
export function longestDayUs(loaded: LoadedScenario, embedded: boolean): number {
  if (pricedDays(loaded, embedded).low !== 'token-timezone') return DAY_US;
  const asked = askedTimezones(loaded.scenario);
  const zones = asked?.length === 0 && embedded ? ['UTC'] : asked;
  if (zones === undefined || zones.length === 0) return DAY_US + LARGEST_CHANGE_US;
  const offsets = zones.flatMap(offsetsOf);
  return DAY_US + Math.max(...offsets) - Math.min(...offsets);
}

/**
 * Local time minus UTC, µs, on the first of each month: summer time lasts longer, and so does a month of fasting with other time.
 */
function offsetsOf(timeZone: string): readonly number[] {
  const local = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month));
  return months.map((at) => (Date.parse(`${local.format(at).replace(' ', 'T')}Z`) - at) * 1_000);
}

/** The time zone of all tokens; undefined if they have several, or if it is unknown. */
function zoneOfTokens({ scenario }: LoadedScenario, embedded: boolean): string | undefined {
  const zones = askedTimezones(scenario);
  if (zones?.length === 0) return embedded ? 'UTC' : undefined;
  return zones?.length === 1 ? zones[0] : undefined;
}

/**
 * The time zone of a user's tokens. The embedded sandbox counts each message towards the date in its own token's zone.
 * @returns undefined if the service chooses it, or a step
 */
function zoneOfUser(loaded: LoadedScenario, embedded: boolean): ((user: string) => string) | undefined {
  const ofAll = zoneOfTokens(loaded, embedded);
  if (ofAll !== undefined) return () => ofAll;
  const { scenario } = loaded;
  const { users } = participantsOf(scenario, new Map());
  const zones = new Map(users.map(({ label, timezone = 'UTC' }) => [label, timezone]));
  const stepsAskForNone = askedTimezones({ ...scenario, users: [] })?.length === 0;
  if (!embedded || !stepsAskForNone || ![...zones.values()].every(isTimezone)) return undefined;
  return (user) => zones.get(user) ?? 'UTC';
}

/** New messages on the busiest day, in one bucket of the quota's scope. */
export function mostInADay(
  messages: readonly AcceptedMessage[],
  { loaded, embedded, day, serviceAt }: Counted,
): number {
  const { scope } = loaded.profile.limits.daily;
  const buckets = [...groupedBy(messages, (message) => bucketOf(scope, message)).values()];
  const zoneOf = day === 'utc' ? () => 'UTC' : day === 'token-timezone' ? zoneOfUser(loaded, embedded) : undefined;
  const most = zoneOf !== undefined ? onADate(zoneOf) : day === 'first-use' ? fromFirstUse : within24Hours;
  return Math.max(0, ...buckets.map((own) => most(own.map(({ user, sentAt }) => ({ user, at: serviceAt(sentAt) })))));
}

/** A message, with the service's time of its sending. */
interface Sent {
  readonly user: string;
  readonly at: number;
}

interface Counted {
  readonly loaded: LoadedScenario;
  readonly embedded: boolean;
  readonly day: Day;
  readonly serviceAt: (at: Micros) => number;
}

const onADate = (zoneOf: (user: string) => string) => {
  const formatOf = rememberedByZone();
  return (messages: readonly Sent[]): number => {
    const dates = new Map<string, number>();
    for (const { user, at } of messages) {
      const date = formatOf(zoneOf(user)).format(at / 1_000);
      dates.set(date, (dates.get(date) ?? 0) + 1);
    }
    return Math.max(0, ...dates.values());
  };
};

function rememberedByZone(): (zone: string) => Intl.DateTimeFormat {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (zone) => {
    const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
    formats.set(zone, format);
    return format;
  };
}

function fromFirstUse(messages: readonly Sent[]): number {
  let most = 0;
  let count = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const { at } of messages) {
    if (at >= end) {
      end = at + DAY_US;
      count = 0;
    }
    count += 1;
    most = Math.max(most, count);
  }
  return most;
}

function within24Hours(messages: readonly Sent[]): number {
  let first = 0;
  let most = 0;
  for (const [i, { at }] of messages.entries()) {
    while ((messages[first] as Sent).at <= at - DAY_US) first += 1;
    most = Math.max(most, i - first + 1);
  }
  return most;
}
