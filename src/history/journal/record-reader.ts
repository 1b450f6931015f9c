import { LONGEST_SERVICE_US } from '../lines/checks.ts';
import { decodeLine } from '../lines/decode.ts';
import type { EndRecord, Header, JournalRecord } from '../records.ts';
import { type Line, LineSplitter } from './lines.ts';
import { Sequences } from './sequences.ts';
import { looselyParsed, ofTwoRuns, requireHeader, unreadableFile } from './unreadable.ts';

/** Longer lines are skipped and reported. A page of 100 history items takes some 20 KiB. */
const MAX_LINE_BYTES = 16 * 1_024 * 1_024;
/** Longest name of an unknown kind that is kept. */
const MOST_NAME_CHARACTERS = 64;

/** Recognises the remains of a damaged `clock` line, and zeros of pages that were never written. */
const REMAINS_OF_CLOCK = /^\{"kind":"c|clock|serviceUs|plusMinusUs|\0/;

/** How complete a history is. Final once it has been read to its end. */
export interface JournalReport {
  /** Whether there is one `end` record, no line was bad, and the number of exchanges agrees. */
  readonly whole: boolean;
  /** Whether the last line is incomplete: a crash in the middle of a write. */
  readonly tornLastLine: boolean;
  /** Records of kinds that this version does not know, by kind. */
  readonly skippedKinds: Readonly<Record<string, number>>;
  /** Complete lines that are no record, including too long ones. */
  readonly badLines: number;
  /** Whether a bad line may have been a `clock` record, without which the times of the run cannot be interpreted. */
  readonly mayLackClock: boolean;
  /** Number of bad lines longer than 16 MiB. */
  readonly tooLongLines: number;
  /** Sequence numbers that no line mentions. */
  readonly missingSeq: number;
}

/** Turns the bytes of a journal into records, and keeps track of its completeness. Memory does not grow with its length. */
export class RecordReader {
  readonly #path: string;
  readonly #lines = new LineSplitter(MAX_LINE_BYTES);
  readonly #sequences = new Sequences();
  readonly #skippedKinds = new Map<string, number>();
  #header: Header | undefined;
  #end: EndRecord | undefined;
  #endsTwice = false;
  #torn = false;
  #badLines = 0;
  #mayLackClock = false;
  #tooLongLines = 0;
  #exchanges = 0;
  /** Later run times are impossible. */
  #latestUs = LONGEST_SERVICE_US;

  constructor(path: string) {
    this.#path = path;
  }

  /** The records of the lines that end in this chunk. */
  push(chunk: Uint8Array): readonly JournalRecord[] {
    const records: JournalRecord[] = [];
    for (const line of this.split(chunk)) {
      const record = this.read(line);
      if (record) records.push(record);
    }
    return records;
  }

  /** The lines that end in this chunk, each to be given to `read`. */
  split(chunk: Uint8Array): readonly Line[] {
    return this.#lines.push(chunk);
  }

  /** The record of a line; `undefined` if it is none. */
  read(line: Line): JournalRecord | undefined {
    return this.#read(line, false);
  }

  /** The record after the last newline; to be called once, at the end. */
  finish(): JournalRecord | undefined {
    const line = this.#lines.rest();
    return line === undefined ? undefined : this.#read(line, true);
  }

  report(): JournalReport {
    return {
      whole: this.#badLines === 0 && !this.#endsTwice && this.#exchanges === this.#end?.exchanges,
      tornLastLine: this.#torn,
      skippedKinds: Object.fromEntries(this.#skippedKinds),
      badLines: this.#badLines,
      mayLackClock: this.#mayLackClock,
      tooLongLines: this.#tooLongLines,
      missingSeq: this.#sequences.missing(),
    };
  }

  /** The end as it is to be handed out after the last line: incomplete if there were unreadable lines, or a second end. */
  spoiled(end: EndRecord): EndRecord {
    if (this.#badLines > 0) return unreadableBefore(end);
    return this.#endsTwice ? { ...end, complete: false, reason: 'lines-doubled' } : end;
  }

  explain(error: unknown): unknown {
    return unreadableFile(this.#path, error);
  }

  #read(line: Line, last: boolean): JournalRecord | undefined {
    if (typeof line !== 'string') {
      this.#tooLongLines += 1;
      this.#bad(last);
      return undefined;
    }
    const text = this.#header === undefined && line.startsWith('\uFEFF') ? line.slice(1) : line;
    const decoded = decodeLine(text);
    const record = typeof decoded !== 'string' && this.#isTooLate(decoded) ? 'bad' : decoded;
    // The version is checked before the members, because a header of another version may have other members.
    if (this.#header === undefined && !(last && isBegun(text))) requireHeader(this.#path, text, record);
    if (typeof record !== 'string') return this.#accept(record);
    if (record === 'bad') this.#bad(last);
    if (record === 'bad' && !last) this.#mayLackClock ||= REMAINS_OF_CLOCK.test(text);
    if (record === 'unknown-kind') this.#skip(String(looselyParsed(text)?.kind).slice(0, MOST_NAME_CHARACTERS));
    return undefined;
  }

  #isTooLate(record: JournalRecord): boolean {
    if (record.kind === 'exchange') return record.receivedAt > this.#latestUs;
    return record.kind === 'clock' && Math.abs(record.at) > this.#latestUs;
  }

  #skip(kind: string): void {
    this.#skippedKinds.set(kind, (this.#skippedKinds.get(kind) ?? 0) + 1);
  }

  #bad(last: boolean): void {
    if (last) this.#torn = true;
    else this.#badLines += 1;
  }

  #accept(record: JournalRecord): JournalRecord | undefined {
    switch (record.kind) {
      case 'exchange':
        this.#exchanges += 1;
        break;
      case 'header':
        // Nothing tells the lines of two runs apart, and together they would show what neither did.
        if (this.#header && JSON.stringify(record) !== JSON.stringify(this.#header)) throw ofTwoRuns(this.#path);
        if (this.#header) return this.#bad(false) as undefined;
        this.#header = record;
        this.#latestUs = LONGEST_SERVICE_US / Math.max(1, record.clock.rate ?? 1);
        break;
      case 'end':
        this.#endsTwice ||= this.#end !== undefined;
        this.#end = this.#badLines > 0 ? unreadableBefore(record) : record;
        return this.#end;
    }
    this.#sequences.add(record);
    return record;
  }
}

/** Whether a first line that is also the last may be the beginning of a header. */
const isBegun = (text: string): boolean => text.startsWith('{') && looselyParsed(text) === undefined;

/**
 * An unreadable line may have been any record, also one that the end does not count. Only the reader sees such lines, so the end is
 * what tells everybody who counts the records.
 */
const unreadableBefore = (end: EndRecord): EndRecord => ({ ...end, complete: false, reason: 'lines-unreadable' });
