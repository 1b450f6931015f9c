import { days } from '../../api/index.ts';
import { groupedBy, type Micros } from '../../base/index.ts';
import { type AcceptedMessage, bucketOf } from '../../collect/index.ts';
import { settle } from '../../sandbox/index.ts';
import { askedTimezones, type LoadedScenario } from '../../scenario/index.ts';
import { sandboxSettings } from '../target/target.ts';

export type DayKind = (typeof days)[number];

/** Two kinds of day that bracket the service's own. `low`: the one under which fewer messages meet the quota. */
interface PricedDays {
  readonly low: DayKind;
  /** If the day's kind, zone or beginning is unknown: any 24 hours, because no service counts more of them together. */
  readonly high: DayKind;
  readonly known: boolean;
}

export const DAY_US = 86_400_000_000;

export function pricedDays(loaded: LoadedScenario, embedded: boolean): PricedDays {
  if (embedded) {
    const [daily] = settle(sandboxSettings(loaded)).limits.daily;
    const day = daily?.day ?? 'utc';
    return { low: day, high: day, known: true };
  }
  const { exclusive, flushed, limits } = loaded.profile;
  const declared = [limits.daily.day, limits.daily.reading];
  const day = days.find((kind) => declared.includes(kind));
  const known = {
    utc: true,
    'token-timezone': zoneOfTokens(loaded, false) !== undefined,
    'first-use': exclusive && flushed.daily,
    rolling: true,
  };
  return day !== undefined && known[day]
    ? { low: day, high: day, known: true }
    : { low: day ?? 'utc', high: 'rolling', known: false };
}

/** The time zone of all tokens; undefined if they have several, or if it is unknown. */
function zoneOfTokens({ scenario }: LoadedScenario, embedded: boolean): string | undefined {
  const zones = askedTimezones(scenario);
  if (zones?.length === 0) return embedded ? 'UTC' : undefined;
  return zones?.length === 1 ? zones[0] : undefined;
}

/** New messages on the busiest day, in one bucket of the quota's scope. */
export function mostInADay(
  messages: readonly AcceptedMessage[],
  { loaded, embedded, day, serviceAt }: Counted,
): number {
  const { scope } = loaded.profile.limits.daily;
  const buckets = [...groupedBy(messages, (message) => bucketOf(scope, message)).values()];
  const zone = day === 'utc' ? 'UTC' : day === 'token-timezone' ? zoneOfTokens(loaded, embedded) : undefined;
  const most = zone !== undefined ? onADate(zone) : day === 'first-use' ? fromFirstUse : within24Hours;
  return Math.max(0, ...buckets.map((own) => most(own.map(({ sentAt }) => serviceAt(sentAt)))));
}

interface Counted {
  readonly loaded: LoadedScenario;
  readonly embedded: boolean;
  readonly day: DayKind;
  readonly serviceAt: (at: Micros) => number;
}

const onADate = (zone: string) => {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  return (times: readonly number[]): number => {
    const dates = new Map<string, number>();
    for (const time of times) {
      const date = format.format(time / 1_000);
      dates.set(date, (dates.get(date) ?? 0) + 1);
    }
    return Math.max(0, ...dates.values());
  };
};

function fromFirstUse(times: readonly number[]): number {
  let most = 0;
  let count = 0;
  let end = Number.NEGATIVE_INFINITY;
  for (const time of times) {
    if (time >= end) {
      end = time + DAY_US;
      count = 0;
    }
    count += 1;
    most = Math.max(most, count);
  }
  return most;
}

function within24Hours(times: readonly number[]): number {
  let first = 0;
  let most = 0;
  for (const [i, time] of times.entries()) {
    while ((times[first] as number) <= time - DAY_US) first += 1;
    most = Math.max(most, i - first + 1);
  }
  return most;
}
