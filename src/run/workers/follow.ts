import type { Clock, Micros } from '../../base/index.ts';
import { followJournal, type JournalRecord } from '../../history/index.ts';

const LOOK_EVERY_US = 100_000;
/** So much at once: a Ctrl-C must be heard meanwhile. */
const MOST_BYTES = 1_000_000;
/** Between two reads of a journal that grows as fast as it is read. */
const BREATH_US = 1_000;

/**
 * Hands on what the workers have written, in the order of the file, until `signal` is aborted. The file is the queue between
 * threads: handing records over by messages costs a worker more than writing them does, and whoever only watches may fall behind
 * without holding anything up.
 */
export async function followWorkers(
  path: string,
  clock: Clock,
  onRecord: (record: JournalRecord) => void,
  signal: AbortSignal,
): Promise<void> {
  const tail = followJournal(path);
  try {
    while (!signal.aborted) {
      const records = tail.read(MOST_BYTES);
      for (const record of records) onRecord(record);
      const rest = records.length === 0 ? LOOK_EVERY_US : BREATH_US;
      await clock.sleepUntil((clock.now() + rest) as Micros, signal);
    }
  } finally {
    tail.close();
  }
}
