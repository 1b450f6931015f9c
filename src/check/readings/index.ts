import type { Reading } from '../reading.ts';
import type { Slice } from '../slice.ts';
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

/** The reading of a name or of one of its aliases; `undefined` when there is none. */
export function readingNamed<R extends { readonly name: string; readonly aliases: readonly string[] }>(
  readings: readonly R[],
  name: string,
): R | undefined {
  return readings.find((reading) => reading.name === name || reading.aliases.includes(name));
}
