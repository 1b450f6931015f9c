import { type Measurements, measure, type Summary } from '../collect/index.ts';
import type { JournalRecord } from '../history/index.ts';

/** The measurements of records. */
export function measured(records: readonly JournalRecord[]): Measurements {
  const measurements = measure();
  for (const record of records) measurements.add(record);
  return measurements;
}

/** The summary of records. */
export const summaryOf = (records: readonly JournalRecord[]): Summary => measured(records).summary();
