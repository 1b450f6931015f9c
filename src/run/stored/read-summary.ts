import { measure, type Summary } from '../../collect/index.ts';
import { readJournalSync } from '../../history/index.ts';

/** Everything measured in the run of a journal. */
export function summaryOf(journal: string): Summary {
  const measurements = measure();
  for (const record of readJournalSync(journal)) measurements.add(record);
  return measurements.summary();
}
