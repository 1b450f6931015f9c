import type { Micros } from '../../base/index.ts';
import { DAY_US } from './days.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Ask, Limiter } from './limiter.ts';
import { endOfUtcDate, type LocalDay, LocalDays } from './local-day.ts';
import { plus } from './windows.ts';

/** Units by date. At one instant, callers of one key in several time zones may count towards different dates. */
type State = { [date: string]: number };

/** This long after a date has ended in UTC, it has ended everywhere: no zone is more than 12 hours behind; a day leaves a margin. */
const LAST_ZONE_US = DAY_US;

/**
 * At most `max` units per calendar day of the caller's time zone; resets at its midnight. Days on which clocks change have 22 to 26
 * hours. Units are counted by key and date, so callers in several zones share the units of the same date.
 */
export function dayOfTokenTimezone({ max }: { readonly max: number }): Limiter {
  const days = new LocalDays();
  const dayOf = ({ now, timezone = 'UTC' }: Ask) => days.at(now, timezone);
  /** The caller's first midnight that starts a day with units left: callers in zones ahead may have used up the next day already. */
  const freeFrom = (state: State | undefined, { date, endsAt }: LocalDay, timezone: string): Micros => {
    const isAheadFull = Object.entries(state ?? {}).some(([other, used]) => other > date && used >= max);
    if (!isAheadFull) return endsAt;
    let day = days.at(endsAt, timezone);
    while ((state?.[day.date] ?? 0) >= max) day = days.at(day.endsAt, timezone);
    return day.from;
  };
  const forgottenAt = (date: string) => plus(endOfUtcDate(date), LAST_ZONE_US);

  const algorithm: Algorithm<State> = {
    peek(state, ask) {
      const day = dayOf(ask);
      const used = state?.[day.date] ?? 0;
      return used < max
        ? { admitted: true, remaining: max - used - 1, resetAtUs: day.endsAt }
        : { admitted: false, retryAtUs: freeFrom(state, day, ask.timezone ?? 'UTC') };
    },
    take(state = {}, ask) {
      const { date } = dayOf(ask);
      for (const known of Object.keys(state)) if (forgottenAt(known) <= ask.now) delete state[known];
      state[date] = (state[date] ?? 0) + 1;
      return state;
    },
    expiresAt: (state) => forgottenAt(Object.keys(state).sort().at(-1) ?? '1970-01-01'),
  };
  return keyed(algorithm);
}
