import type { Admitted } from '../engines/admitted.ts';
import type { Calendar } from './calendar.ts';
import { addTo, countsOf, type Days, daysOf, overfullRange } from './fullest.ts';

/**
 * Those of messages that are needed to be too many under every calendar: in their order, each is left out if the rest is still too
 * many. A proof under some hundred calendars may begin with thousands of messages, so none is counted anew for each that is left out.
 * @param members indices of admitted messages that are too many under every calendar
 */
export function neededFor(
  admitted: Admitted,
  calendars: readonly Calendar[],
  max: number,
  members: readonly number[],
): readonly number[] {
  // The calendar that needed a message comes first: it needs the next one most likely, too.
  const all = calendars.map((calendar) => new TooMany(admitted, calendar, max, members));
  return members.filter((one) => {
    const at = all.findIndex((those) => !those.areSoWithout(one));
    if (at < 0) for (const those of all) those.leaveOut(one);
    else all.unshift(...all.splice(at, 1));
    return at >= 0;
  });
}

/** Messages that some days in a row of a calendar cannot hold. */
class TooMany {
  readonly #admitted: Admitted;
  readonly #calendar: Calendar;
  readonly #max: number;
  readonly #counts: ReturnType<typeof countsOf>;
  /** Such days, and how many more than these can hold certainly lie in them. */
  #days: Days = { first: 0, last: -1 };
  #surplus = 0;

  constructor(admitted: Admitted, calendar: Calendar, max: number, members: readonly number[]) {
    this.#admitted = admitted;
    this.#calendar = calendar;
    this.#max = max;
    this.#counts = countsOf(members.map((i) => daysOf(admitted, calendar, i)));
  }

  /** Whether without this one, too, some days cannot hold the rest. */
  areSoWithout(one: number): boolean {
    const days = daysOf(this.#admitted, this.#calendar, one);
    if (this.#surplus > (this.#holds(days) ? 1 : 0)) return true;
    addTo(this.#counts, days, -1);
    const others = overfullRange(this.#counts, this.#max);
    addTo(this.#counts, days, 1);
    if (others) this.#choose(others);
    return others !== undefined;
  }

  leaveOut(one: number): void {
    const days = daysOf(this.#admitted, this.#calendar, one);
    addTo(this.#counts, days, -1);
    if (this.#holds(days)) this.#surplus -= 1;
  }

  #holds({ first, last }: Days): boolean {
    return first >= this.#days.first && last <= this.#days.last;
  }

  #choose(days: Days): void {
    this.#days = days;
    this.#surplus = -this.#max * (days.last - days.first + 1);
    for (const [first, byLast] of this.#counts)
      for (const [last, count] of byLast) if (this.#holds({ first, last })) this.#surplus += count;
  }
}
