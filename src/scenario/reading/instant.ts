/** An instant: a date and a time, a fraction of a second of any length, and a zone. */
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:(?<=:\d\d:\d\d)[.,](\d+))?( ?(?:Z|UTC|GMT|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?))?$/i;

/** What an instant says of its zone: `local` names none. */
export interface Instant {
  readonly kind: 'instant' | 'local';
  /** Microseconds since 1970; of a `local` one, as if its zone were UTC. */
  readonly us: number;
}

/**
 * Reads an instant to the microsecond. `Date.parse` would cut it to milliseconds, so that requests of a log came at the same time,
 * and would read one without a zone in the zone of this machine, whose clock skips and repeats hours.
 * @returns undefined if it is none, such as 30 February
 */
export function parseInstant(text: string): Instant | undefined {
  const [, day, time = '', fraction = '', zone] = INSTANT.exec(text) ?? [];
  if (day === undefined || !isDate(day)) return undefined;
  const ms = Date.parse(`${day}T${time}Z`);
  if (Number.isNaN(ms)) return undefined;
  const fractionUs = Number(`0.${fraction || 0}`) * 1_000_000;
  return { kind: zone === undefined ? 'local' : 'instant', us: (ms - offsetMs(zone ?? '')) * 1_000 + fractionUs };
}

/** Rejects dates such as 30 February, which `Date.parse` accepts as 2 March. */
function isDate(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === day;
}

/** Of a zone such as `+01:00`; 0 for UTC and its other names. */
function offsetMs(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{2}):?(\d{2})?/.exec(zone) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}
