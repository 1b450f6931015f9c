import type { ClockRecord } from '../history/index.ts';
import { us } from '../testing/history/sample-records.ts';

/** 12:00:00 of the service at run time 0; one run second is one service minute. */
export const minuteASecond: ClockRecord = {
  kind: 'clock',
  at: us(0),
  serviceUs: us(1_795_262_400_000_000),
  plusMinusUs: us(0),
  rate: 60,
};
