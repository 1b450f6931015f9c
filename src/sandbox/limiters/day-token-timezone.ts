import type { Micros } from '../../base/index.ts';
import { DAY_US } from './day.ts';
import { type Algorithm, keyed } from './keyed.ts';
import type { Ask, Limiter } from './limiter.ts';
import { endOfUtcDate, type LocalDay, LocalDays } from './local-day.ts';
import { plus } from './windows.ts';

/** Units by date. Callers of one key in several zones write to several dates at the same instant. */
type State = { [date: string]: number };

/** A date has ended everywhere this long after it ended in UTC: clocks are nowhere more than 12 hours behind, and one day is generous. */
const LAST_ZONE_US = DAY_US;

/**
 * At most `max` units per calendar day of the caller's time zone, back to full at its midnight; days on which clocks change
 * have 22 to 26 hours. Counted by key and date, so that callers in several zones share a day of the same name.
 */
export function dayOfTokenTimezone({ max }: { readonly max: number }): Limiter {
  const days = new LocalDays();
  const dayOf = ({ now, timezone = 'UTC' }: Ask) => days.at(now, timezone);
  /** The first of the caller's midnights that begins a day with room: callers ahead of it may have used up the next one already. */
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
