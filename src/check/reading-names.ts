import { type LimitName, limitNames } from '../api/index.ts';
import { concurrencyReadings } from './readings/concurrency.ts';
import { dailyReadings } from './readings/daily.ts';
import { rateReadings } from './readings/index.ts';

interface Named {
  readonly name: string;
  readonly aliases: readonly string[];
}

const readings: Readonly<Record<LimitName, readonly Named[]>> = {
  rate: rateReadings,
  concurrency: concurrencyReadings,
  daily: dailyReadings,
};

/** Names of the readings of each limit, without aliases. */
export const readingNames = (limit: LimitName): string[] => readings[limit].map(({ name }) => name);

/** The limits that have a reading of this name; if none has, those that have a reading of this alias. Empty if there is no such reading. */
export function limitsWithReading(name: string): LimitName[] {
  const named = limitNames.filter((limit) => readingNames(limit).includes(name));
  return named.length > 0 ? named : limitNames.filter((limit) => isReadingOf(limit, name));
}

/** Whether a limit has a reading of this name or alias. */
export const isReadingOf = (limit: LimitName, name: string): boolean =>
  readings[limit].some((one) => one.name === name || one.aliases.includes(name));
