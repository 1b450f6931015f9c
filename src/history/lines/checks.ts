import { isRecord } from '../../base/index.ts';

/**
 * Checks of members of a record. Written by hand and not with a schema library, because a journal of a long run has tens of
 * millions of lines: this costs a fraction of parsing the JSON.
 */

export type Check = (value: unknown) => boolean;

export const has = (fields: Readonly<Record<string, Check>>): Check => {
  const names = Object.keys(fields);
  const checks = Object.values(fields);
  return (value) => {
    if (!isRecord(value)) return false;
    for (let i = 0; i < names.length; i++) if (!checks[i]?.(value[names[i] as string])) return false;
    return true;
  };
};

export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

export const oneOf = (...values: readonly string[]): Check => {
  const allowed: ReadonlySet<unknown> = new Set(values);
  return (value) => allowed.has(value);
};

/**
 * How far the service's clock may get in a run: ten years, the longest duration in a scenario. Days are counted one by one, so a
 * later time, which only damage can have written, would take the judge hours and all memory.
 */
export const LONGEST_SERVICE_US = 3_653 * 86_400_000_000;
/** A time of the run, or a duration, µs. Further apart, the differences of two and their sums would not be exact. */
export const time: Check = (value) => Number.isSafeInteger(value) && Math.abs(value as number) <= LONGEST_SERVICE_US;
/** Since 1970, µs. */
export const serviceTime: Check = Number.isSafeInteger;
export const count: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
export const number: Check = Number.isFinite;
/** Of a service's clock, as a scenario allows it. */
export const speed: Check = (value) => Number.isFinite(value) && (value as number) > 0 && (value as number) <= 100_000;
/** The ranges that a profile allows; other values would give the judge limits of nothing, empty windows or unusable times. */
export const limit: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 1;
export const window: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 1_000;
export const drift: Check = (value) => Number.isFinite(value) && (value as number) >= 0 && (value as number) <= 100_000;
export const string: Check = (value) => typeof value === 'string';
/** UTC in ISO 8601. */
export const instant: Check = (value) =>
  typeof value === 'string' && /^[\d-]{10}T[\d:]{8}(\.\d+)?Z$/.test(value) && Number.isFinite(Date.parse(value));
export const boolean: Check = (value) => typeof value === 'boolean';
export const strings: Check = (value) => Array.isArray(value) && value.every(string);
export const counts: Check = (value) => Array.isArray(value) && value.every(count);
export const timesByName: Check = (value) => isRecord(value) && Object.values(value).every(time);
