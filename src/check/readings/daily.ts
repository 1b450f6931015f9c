import type { DaySlice } from '../days/message-slice.ts';
import type { Reading } from '../reading.ts';
import { timezoneDay, utcDay } from './day-calendar.ts';
import { firstUseDay, rollingDay } from './day-rolling.ts';

/** Every meaning of "Q new messages per day" that the judge knows. */
export const dailyReadings: readonly Reading<DaySlice>[] = [utcDay, timezoneDay, firstUseDay, rollingDay];
