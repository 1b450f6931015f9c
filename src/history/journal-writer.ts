import { type Clock, ExitCode, type Micros, SpillwayError } from '../base/index.ts';
import { createJournalFile, type JournalFile, journalFileOn } from './journal-file.ts';
import type { JournalRecord } from './records.ts';
import { RateOfLastSecond } from './write-rate.ts';

/** Up to this many records a second each line is written at once, and `sent` lines are written. */
const AT_ONCE_UP_TO_PER_SECOND = 1_000;
/** Above it, no line waits longer than this. */
const FLUSH_AFTER_US = 100_000;
/** Nor in a buffer larger than this. */
const FLUSH_BYTES = 256 * 1_024;
const NEWLINE = 0x0a;

export interface JournalWriter {
  /**
   * Appends a record. Never throws: a failure of the disk is told to `onFailure`, once, and every later record is lost.
   * A `sent` record is left out above 1,000 records a second.
   */
  write(record: JournalRecord): void;
  /** Writes what waits in the buffer, now. */
  flush(): void;
  /** Records that are not yet with the operating system: kill -9 would lose them. */
  backlog(): number;
  /** Records that a failed disk swallowed. */
  lost(): number;
  /** Why nothing is written any more; `undefined` while all is well. */
  readonly failure: SpillwayError | undefined;
  /** Writes what waits and closes the file; a second call does nothing. */
  close(): void;
}

export type JournalTarget = { readonly path: string } | { readonly fd: number } | { readonly file: JournalFile };

export type JournalOptions = JournalTarget & {
  /** Decides how dense the records come, and wakes the flush; the records' own times are not looked at. */
  readonly clock: Clock;
  /** Told once, at the moment at which the disk fails. What was written until then is kept and ends with a whole line. */
  readonly onFailure?: (error: SpillwayError) => void;
};

/**
 * Opens a journal for writing: `history.ndjson`, one record a line.
 * A crash (kill -9) of a run with up to 1,000 records a second loses nothing: each line is handed to the operating system
 * at once, without a buffer of our own, and a `sent` line goes out before each request. Above, lines are handed over in
 * batches, each at the latest 100 ms after it was written, and `sent` lines are left out. Power cuts are not promised
 * against: that would cost a disk's sync per line.
 * @throws SpillwayError JOURNAL_WRITE_FAILED (exit 12) when the file exists or cannot be created
 */
export function openJournal(options: JournalOptions): JournalWriter {
  return new Writer(openFile(options), options.clock, options.onFailure);
}

function openFile(target: JournalTarget): JournalFile {
  if ('file' in target) return target.file;
  try {
    return 'path' in target ? createJournalFile(target.path) : journalFileOn(target.fd);
  } catch (error) {
    throw writeFailed(error, 'path' in target ? `${target.path}: ` : '');
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
  readonly #file: JournalFile;
  readonly #clock: Clock;
  readonly #onFailure: ((error: SpillwayError) => void) | undefined;
  readonly #rate = new RateOfLastSecond();
  readonly #closing = new AbortController();
  #waiting: string[] = [];
  #waitingBytes = 0;
  #oldestWaitingAt = 0 as Micros;
  #flushScheduled = false;
  /** Bytes in the file, and of these how many end with a whole line. */
  #length = 0;
  #wholeLines = 0;
  #lost = 0;
  #closed = false;

  constructor(file: JournalFile, clock: Clock, onFailure?: (error: SpillwayError) => void) {
    this.#file = file;
    this.#clock = clock;
    this.#onFailure = onFailure;
  }

  write(record: JournalRecord): void {
    if (this.failure || this.#closed) {
      this.#lost += 1;
      return;
    }
    const now = this.#clock.now();
    // Records left out are counted too: otherwise leaving them out would bring the rate down and them back, in turns.
    const dense = this.#rate.count(now) > AT_ONCE_UP_TO_PER_SECOND;
    if (dense && record.kind === 'sent') return;
    const line = `${JSON.stringify(record)}\n`;
    if (this.#waiting.length === 0) this.#oldestWaitingAt = now;
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    const due = now - this.#oldestWaitingAt >= FLUSH_AFTER_US || this.#waitingBytes >= FLUSH_BYTES;
    if (!dense || due) this.flush();
    else this.#scheduleFlush();
  }

  backlog(): number {
    return this.#waiting.length;
  }

  lost(): number {
    return this.#lost;
  }

  flush(): void {
    if (this.#waiting.length === 0 || this.failure) return;
    const lines = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    const bytes = Buffer.from(lines.join(''), 'utf8');
    let written = 0;
    try {
      while (written < bytes.length) written += this.#file.write(bytes, written);
      this.#length += written;
      this.#wholeLines = this.#length;
    } catch (error) {
      this.#keepWholeLines(bytes.subarray(0, written));
      this.#lost += lines.length - countLines(bytes.subarray(0, written));
      this.#fail(error);
    }
  }

  close(): void {
    if (this.#closed) return;
    this.flush();
    this.#closed = true;
    this.#closing.abort();
    try {
      this.#file.close();
    } catch (error) {
      this.#fail(error);
    }
  }

  #scheduleFlush(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    const at = (this.#oldestWaitingAt + FLUSH_AFTER_US) as Micros;
    void this.#clock.sleepUntil(at, this.#closing.signal).then(() => {
      this.#flushScheduled = false;
      const stillYoung = this.#clock.now() - this.#oldestWaitingAt < FLUSH_AFTER_US;
      if (this.#waiting.length > 0 && stillYoung && !this.#closed) this.#scheduleFlush();
      else this.flush();
    });
  }

  /** After a failed write: cuts off the part of a line that got through, if the file can be cut. */
  #keepWholeLines(written: Uint8Array): void {
    this.#wholeLines = this.#length + written.lastIndexOf(NEWLINE) + 1;
    this.#length += written.length;
    if (this.#length === this.#wholeLines) return;
    try {
      this.#file.truncate(this.#wholeLines);
    } catch {
      // A torn last line stays; readers expect one.
    }
  }

  #fail(cause: unknown): void {
    if (this.failure) return;
    this.failure = writeFailed(cause);
    this.#onFailure?.(this.failure);
  }
}

function countLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}
