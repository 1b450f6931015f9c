import type { Micros } from '../../base/index.ts';
import { DAY_US } from './days.ts';
import { modulo, plus } from './windows.ts';

/** A calendar day of a time zone. */
export interface LocalDay {
  /** `2026-11-21`. */
  readonly date: string;
  /** The first instant of the next day. On days on which clocks change, 22 to 26 hours after the start of the day. */
  readonly endsAt: Micros;
}

const SECOND = 1_000_000;
/** Size of the cache. Needed because zone names ignore case, so callers could send any number of spellings. */
const MOST_ZONES = 128;

/** Calendar days according to the platform's tz database. The current day of each zone is cached. */
export class LocalDays {
  readonly #formats = new Map<string, Intl.DateTimeFormat>();
  readonly #known = new Map<string, LocalDay & { readonly from: Micros }>();

  /** Number of cached zones. */
  get size(): number {
    return this.#known.size;
  }

  /**
   * @param zone IANA name
   * @returns `from`: an instant of that day, not after `now`
   * @throws RangeError for a zone that does not exist
   */
  at(now: Micros, zone: string): LocalDay & { readonly from: Micros } {
    const known = this.#known.get(zone);
    if (known && known.from <= now && now < known.endsAt) return known;
    if (this.#known.size >= MOST_ZONES) {
      this.#known.clear();
      this.#formats.clear();
    }
    const day = { date: dateOf(now + this.#offset(now, zone)), endsAt: this.#endOfDay(now, zone), from: now };
    this.#known.set(zone, day);
    return day;
  }

  /**
   * The next instant at which the local date differs from that at `now`. Between two changes of the clocks this is plain
   * arithmetic. Assumes that no zone changes its clocks twice within a day.
   */
  #endOfDay(now: Micros, zone: string): Micros {
    const offset = this.#offset(now, zone);
    const midnight = plus(now, DAY_US - modulo(now + offset, DAY_US));
    if (this.#offset(midnight, zone) === offset) return midnight;
    const change = this.#change(now, midnight, zone);
    if (dateOf(change + this.#offset(change, zone)) !== dateOf(now + offset)) return change;
    return this.#endOfDay(change, zone);
  }

  /** The whole second in (from, to] at which the offset becomes what it is at `to`. */
  #change(from: Micros, to: Micros, zone: string): Micros {
    const after = this.#offset(to, zone);
    let low = Math.floor(from / SECOND);
    let high = Math.ceil(to / SECOND);
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (this.#offset((middle * SECOND) as Micros, zone) === after) high = middle;
      else low = middle;
    }
    return (high * SECOND) as Micros;
  }

  /** Local time minus UTC, in microseconds. */
  #offset(at: Micros, zone: string): number {
    if (zone === 'UTC') return 0;
    const seconds = Math.floor(at / SECOND);
    const parts = this.#format(zone).formatToParts(seconds * 1_000);
    const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((each) => each.type === type)?.value);
    const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return local * 1_000 - seconds * SECOND;
  }

  #format(zone: string): Intl.DateTimeFormat {
    const known = this.#formats.get(zone);
    if (known) return known;
    const fields = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
    const clock = { hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, calendar: 'gregory', ...fields, ...clock });
    this.#formats.set(zone, format);
    return format;
  }
}

/** The date of a local time in microseconds since 1970. */
const dateOf = (local: number): string => new Date(Math.floor(local / 1_000)).toISOString().slice(0, 10);

/** The end of a date in UTC. */
export const endOfUtcDate = (date: string): Micros => (Date.parse(date) * 1_000 + DAY_US) as Micros;
