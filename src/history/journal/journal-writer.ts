import { type Clock, ExitCode, type Micros, SpillwayError } from '../../base/index.ts';
import type { JournalRecord } from '../records.ts';
import { createJournalFile, type JournalFile, openSharedFile } from './journal-file.ts';
import { JournalPages } from './journal-pages.ts';
import { RateOfLastSecond } from './write-rate.ts';

/** Up to this many records per second each line is written at once, and `sent` lines are written. */
const AT_ONCE_UP_TO_PER_SECOND = 1_000;
/** Above it, no line waits longer than this, µs, for its page to be handed over; a kill loses at most twice that. */
const HAND_OVER_AFTER_US = 50_000;

export interface JournalWriter {
  /**
   * Appends a record. Never throws: a disk failure is reported to `onFailure`, once, and every later record is lost. Above 1,000
   * records per second a `sent` record is left out.
   */
  write(record: JournalRecord): void;
  /** Whether a `sent` record would be written now; if not, it need not be made. */
  announces(): boolean;
  /** Number of records not yet passed to the operating system: kill -9 would lose them. */
  backlog(): number;
  /** Number of records lost by a disk failure. */
  lost(): number;
  /** Why nothing is written any more; `undefined` if there was no failure. */
  readonly failure: SpillwayError | undefined;
  /** Writes all buffered records and closes the file; a second call does nothing. */
  close(): void;
}

type JournalTarget =
  | {
      readonly path: string;
      /** If several threads write to one journal: whether this one creates it. Absent: it has one writer. */
      readonly shared?: 'create' | 'join';
    }
  | { readonly file: JournalFile };

export type JournalOptions = JournalTarget & {
  /** Used to measure the rate of records and to schedule flushes; the records' own times are not used. */
  readonly clock: Clock;
  /** Called once if writing fails. What was written before is kept; a file with one writer is cut after its last complete line. */
  readonly onFailure?: (error: SpillwayError) => void;
};

/**
 * Opens a journal for writing: `history.ndjson`, one record per line. A crash (kill -9) of a run with up to 1,000 records per
 * second loses nothing: each line is passed to the operating system at once, unbuffered, and a `sent` line is written before each
 * request. Above that rate, another thread writes lines in pages, each line at most 100 ms after `write`, and `sent` lines are
 * left out; if the disk does not keep up, `write` waits for it. Pages of a shared journal are written by the thread itself. Power
 * failures are not covered: that would cost a disk sync per line.
 * @throws SpillwayError JOURNAL_WRITE_FAILED (exit 12) if the file exists or cannot be created
 */
export function openJournal(options: JournalOptions): JournalWriter {
  return new Writer(openFile(options), options.clock, options.onFailure);
}

function openFile(target: JournalTarget): JournalFile {
  if ('file' in target) return target.file;
  const { path, shared } = target;
  try {
    return shared === undefined ? createJournalFile(path) : openSharedFile(path, shared);
  } catch (error) {
    throw writeFailed(error, `${path}: `);
  }
}

function writeFailed(cause: unknown, where = ''): SpillwayError {
  const { code, message } = cause as NodeJS.ErrnoException;
  const advice: Record<string, string> = {
    ENOSPC: 'the disk is full; free space, or choose another folder',
    EDQUOT: 'the disk quota is used up; free space, or choose another folder',
    EEXIST: 'the file exists, and a history is never overwritten; choose another folder',
    EACCES: 'permission denied; choose a folder that you may write to',
    ENOENT: 'the folder does not exist; create it, or choose another',
    EROFS: 'the file system is read-only; choose another folder',
  };
  const reason = (code !== undefined && advice[code]) || message;
  return new SpillwayError(
    'JOURNAL_WRITE_FAILED',
    `${where}the history cannot be written: ${reason}`,
    ExitCode.targetUnusable,
    { cause },
  );
}

class Writer implements JournalWriter {
  failure: SpillwayError | undefined;
  readonly #pages: JournalPages;
  readonly #clock: Clock;
  readonly #onFailure: ((error: SpillwayError) => void) | undefined;
  readonly #rate = new RateOfLastSecond();
  readonly #closing = new AbortController();
  #isDense = false;
  #oldestWaitingAt = 0 as Micros;
  #flushScheduled = false;
  #lost = 0;
  #closed = false;

  constructor(file: JournalFile, clock: Clock, onFailure?: (error: SpillwayError) => void) {
    this.#pages = new JournalPages(file, (error) => this.#fail(error));
    this.#clock = clock;
    this.#onFailure = onFailure;
  }

  write(record: JournalRecord): void {
    if (this.failure || this.#closed) {
      this.#lost += 1;
      return;
    }
    const now = this.#clock.now();
    const dense = this.#countsAsDense(now, record);
    if (dense && record.kind === 'sent') return;
    if (this.#pages.isEmpty) this.#oldestWaitingAt = now;
    this.#pages.append(record);
    if (!dense) this.#pages.drain();
    else if (now - this.#oldestWaitingAt >= HAND_OVER_AFTER_US) this.#pages.handOver();
    else this.#scheduleFlush();
  }

  announces(): boolean {
    if (this.#isDense) this.#isDense = this.#rate.count(this.#clock.now(), 0) > AT_ONCE_UP_TO_PER_SECOND;
    return !this.#isDense;
  }

  /**
   * Counts omitted `sent` records too; otherwise omitting them would lower the rate below the threshold, and the mode would
   * oscillate.
   */
  #countsAsDense(now: Micros, { kind }: JournalRecord): boolean {
    const withItsSent = this.#isDense && kind === 'exchange' ? 2 : 1;
    this.#isDense = this.#rate.count(now, withItsSent) > AT_ONCE_UP_TO_PER_SECOND;
    return this.#isDense;
  }

  backlog(): number {
    return this.#pages.backlog;
  }

  lost(): number {
    return this.#lost + this.#pages.lost;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#closing.abort();
    this.#pages.close();
  }

  /** Hands over buffered records if no further record arrives in time. */
  #scheduleFlush(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    const at = (this.#oldestWaitingAt + HAND_OVER_AFTER_US) as Micros;
    void this.#clock.sleepUntil(at, this.#closing.signal).then(() => {
      this.#flushScheduled = false;
      if (this.#pages.isEmpty || this.#closed) return;
      if (this.#clock.now() - this.#oldestWaitingAt < HAND_OVER_AFTER_US) this.#scheduleFlush();
      else this.#pages.handOver();
    });
  }

  #fail(cause: unknown): void {
    if (this.failure) return;
    this.failure = writeFailed(cause);
    this.#onFailure?.(this.failure);
  }
}
