import { type Clock, formatDuration, type Micros } from '../../base/index.ts';
import { followJournal, type JournalRecord } from '../../history/index.ts';

const READ_EVERY_US = 100_000;
/** Bytes per read, so that signals are handled in between. */
const MOST_BYTES = 1_000_000;
/** Pause between two reads while a gate waits for the records. */
const SHORTEST_PAUSE_US = 1_000;
/** Share of time for reading that only serves the live view. Reading a record costs as much CPU as sending it. */
const SHARE_FOR_VIEW = 0.2;
/** A line is written within 100 ms and read within as long again, on a machine with time to spare. */
const UNTIL_READ_US = 500_000;
/** If the live view is older than this, a warning says so. */
const STALE_US = 2_000_000;

interface Following {
  /** The workers' journal. */
  readonly path: string;
  readonly clock: Clock;
  readonly onRecord: (record: JournalRecord) => void;
  /** Whether a gate waits for the records. Then they are read without throttling. */
  readonly isUrgent: boolean;
}

/** Reads the journal while workers write it. */
interface Follower {
  /** Reads until `signal` is aborted. */
  run(signal: AbortSignal): Promise<void>;
  /** Everything up to this instant has been read. */
  readUntil(now: Micros): Micros;
  /** A warning if the last records read are old; otherwise empty. */
  warnings(): readonly string[];
}

/**
 * The journal serves as the queue between the threads: sending records as messages would cost a worker more than writing them, and
 * a slow reader of a file causes no back-pressure.
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
          const pause = records.length === 0 ? READ_EVERY_US : isUrgent ? SHORTEST_PAUSE_US : pauseAfter(now - from);
          await clock.sleepUntil((now + pause) as Micros, signal);
        }
      } finally {
        tail.close();
      }
    },
    readUntil: (now) => (now - behindUs - UNTIL_READ_US) as Micros,
    warnings: () =>
      behindUs < STALE_US
        ? []
        : [
            `this view is ${formatDuration(behindUs as Micros)} behind: reading the journal is throttled so that it does not slow down the workers`,
          ],
  };
}

const pauseAfter = (tookUs: number): number => Math.max(READ_EVERY_US, tookUs * (1 / SHARE_FOR_VIEW - 1));

/** When the last request among the records was sent or ended; `now` if there is none. A burst alone can fill a read with what it sent. */
function latestOf(records: readonly JournalRecord[], now: number): number {
  const last = records.findLast((record) => record.kind === 'exchange' || record.kind === 'sent');
  if (last?.kind === 'sent') return last.at;
  return last?.kind === 'exchange' ? last.receivedAt : now;
}
