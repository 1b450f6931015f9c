import { type Clock, formatDuration, type Micros } from '../../base/index.ts';
import { followJournal, type JournalRecord } from '../../history/index.ts';

const LOOK_EVERY_US = 100_000;
/** So much at once: a Ctrl-C must be heard meanwhile. */
const MOST_BYTES = 1_000_000;
/** Between two reads of a journal that grows as fast as it is read. */
const BREATH_US = 1_000;
/** A record costs as much to read as to send: where that only serves to show it, the workers are left most of the time. */
const SHARE_FOR_SHOWING = 0.2;
/** What is shown may be so old before it says so. */
const OLD_US = 2_000_000;

export interface Following {
  /** The workers' journal. */
  readonly path: string;
  readonly clock: Clock;
  readonly onRecord: (record: JournalRecord) => void;
  /** Whether a gate waits for the records: then all are read as they come, whatever that costs. */
  readonly isUrgent: boolean;
}

/** Reads what the workers write, in the order of the file. */
export interface Follower {
  /** Until `signal` is aborted. */
  run(signal: AbortSignal): Promise<void>;
  /** Says that what was read last is old; empty when it is not. */
  warnings(): readonly string[];
}

/**
 * The file is the queue between threads: handing records over by messages costs a worker more than writing them does, and whoever
 * only watches may fall behind without holding anything up.
 */
export function follower({ path, clock, onRecord, isUrgent }: Following): Follower {
  let behindUs = 0;
  return {
    async run(signal) {
      const tail = followJournal(path);
      try {
        while (!signal.aborted) {
          const from = clock.now();
          const records = tail.read(MOST_BYTES);
          for (const record of records) onRecord(record);
          const now = clock.now();
          behindUs = records.length === 0 ? 0 : now - latestOf(records, now);
          const rest = records.length === 0 ? LOOK_EVERY_US : isUrgent ? BREATH_US : restAfter(now - from);
          await clock.sleepUntil((now + rest) as Micros, signal);
        }
      } finally {
        tail.close();
      }
    },
    warnings: () =>
      behindUs < OLD_US
        ? []
        : [
            `what is shown here is ${formatDuration(behindUs as Micros)} old: reading what the workers write may not take their time`,
          ],
  };
}

const restAfter = (tookUs: number): number => Math.max(LOOK_EVERY_US, tookUs * (1 / SHARE_FOR_SHOWING - 1));

/** When the last exchange among them was over; now where there is none. */
function latestOf(records: readonly JournalRecord[], now: number): number {
  const last = records.findLast((record) => record.kind === 'exchange');
  return last?.kind === 'exchange' ? last.receivedAt : now;
}
