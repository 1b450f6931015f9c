import { type LimitName, limitNames } from '../../api/index.ts';
import type { DaySlice } from '../days/message-slice.ts';
import type { Slice } from '../evidence/slice.ts';
import type { Reading } from '../reading.ts';
import type { TurnSlice } from '../slots/turn-slice.ts';
import { acceptedToFinished, processingOnly } from './concurrency.ts';
import { timezoneDay, utcDay } from './day-calendar.ts';
import { firstUseDay, rollingDay } from './day-rolling.ts';
import { fixedWindow, fixedWindowAligned } from './fixed-window.ts';
import { fixedWindowAnchored, fixedWindowPenalty } from './fixed-window-anchored.ts';
import { intervalRefill } from './interval-refill.ts';
import { slidingCounter } from './sliding-counter.ts';
import { slidingLog } from './sliding-log.ts';
import { slidingLogCountingRefused } from './sliding-log-counting-refused.ts';
import { tokenBucket } from './token-bucket.ts';

/** Every meaning of "N requests per W" that the judge knows. Adding one is a file and a line. */
export const rateReadings: readonly Reading<Slice>[] = [
  slidingLog,
  slidingLogCountingRefused,
  tokenBucket,
  intervalRefill,
  fixedWindowAligned,
  fixedWindow,
  fixedWindowAnchored,
  fixedWindowPenalty,
  slidingCounter,
];

/** Every meaning of "C simultaneous processings" that the judge knows. */
export const concurrencyReadings: readonly Reading<TurnSlice>[] = [acceptedToFinished, processingOnly];

/** Every meaning of "Q new messages per day" that the judge knows. */
export const dailyReadings: readonly Reading<DaySlice>[] = [utcDay, timezoneDay, firstUseDay, rollingDay];

interface Named {
  readonly name: string;
  readonly aliases: readonly string[];
}

const readings: Readonly<Record<LimitName, readonly Named[]>> = {
  rate: rateReadings,
  concurrency: concurrencyReadings,
  daily: dailyReadings,
};

/** The reading of a name or of one of its aliases; `undefined` when there is none. */
export const readingNamed = <R extends Named>(among: readonly R[], name: string): R | undefined =>
  among.find((reading) => reading.name === name || reading.aliases.includes(name));

/** Names of the readings of each limit, without aliases. */
export const readingNames = (limit: LimitName): string[] => readings[limit].map(({ name }) => name);

/** Whether a limit has a reading of this name or alias. */
export const isReadingOf = (limit: LimitName, name: string): boolean =>
  readingNamed(readings[limit], name) !== undefined;

/** The limits that have a reading of this name; if none has, those that have a reading of this alias. Empty if there is no such reading. */
export function limitsWithReading(name: string): LimitName[] {
  const named = limitNames.filter((limit) => readingNames(limit).includes(name));
  return named.length > 0 ? named : limitNames.filter((limit) => isReadingOf(limit, name));
}
