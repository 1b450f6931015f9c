import { asciiJson } from '../lines/ascii-json.ts';
import { exchangeLine } from '../lines/exchange-line.ts';
import { ExchangeWriter } from '../lines/exchange-writer.ts';
import { JourneyWriter } from '../lines/journey-writer.ts';
import type { JournalRecord } from '../records.ts';
import type { JournalFile } from './journal-file.ts';
import { emptyPage, NOTHING_THROUGH, PAGE_BYTES, type Page, throughOf } from './page.ts';

/** At most this many pages wait for the disk; then the writer waits, so that memory is bounded and nothing is dropped. */
const MOST_WAITING = 32;

/**
 * Buffers lines in pages and hands whole pages, in order, to a system thread for writing. A page that the thread is still writing
 * can be written a second time at the same offset with the same bytes, so `drain` need not wait for the thread and leaves no hole.
 */
export class JournalPages {
  readonly #file: JournalFile;
  readonly #onFailure: (error: unknown) => void;
  readonly #exchanges = new ExchangeWriter();
  readonly #journeys = new JourneyWriter();
  #filling: Page = emptyPage(PAGE_BYTES);
  /** Pages that were handed over and are not known to be written, in order. */
  #waiting: Page[] = [];
  #free: Page[] = [];
  /** The page that another thread is writing; it may have been drained meanwhile. */
  #underWay: Page | undefined;
  #end = 0;
  #lost = 0;
  #failed = false;
  /** Where the last complete line ends, once the file has failed. */
  #wholeEnd = 0;
  #isClosing = false;

  /** @param onFailure called once if the file fails; nothing is written afterwards */
  constructor(file: JournalFile, onFailure: (error: unknown) => void) {
    this.#file = file;
    this.#onFailure = onFailure;
  }

  /** Number of lines not yet passed to the operating system. */
  get backlog(): number {
    return this.#waiting.reduce((sum, { lines }) => sum + lines, this.#filling.lines);
  }

  /** Number of lines lost because the file failed. */
  get lost(): number {
    return this.#lost;
  }

  get isEmpty(): boolean {
    return this.#filling.used === 0;
  }

  append(record: JournalRecord): void {
    const end = this.#written(record);
    if (end < 0) return this.#appendLine(record.kind === 'exchange' ? exchangeLine(record) : `${asciiJson(record)}\n`);
    const page = this.#filling;
    page.used = end;
    page.lines += 1;
  }

  /**
   * Writes frequent kinds of records directly into the page.
   * @returns the offset after it; −1 if the line has to be formatted separately
   */
  #written(record: JournalRecord): number {
    const { bytes, used } = this.#filling;
    if (record.kind === 'exchange') return this.#exchanges.write(bytes, used, record);
    return record.kind === 'journey' ? this.#journeys.write(bytes, used, record) : -1;
  }

  /** @param line ASCII: as many bytes as characters */
  #appendLine(line: string): void {
    const size = line.length;
    if (this.#filling.used + size > this.#filling.bytes.length) this.handOver();
    if (this.#failed) {
      this.#lost += 1;
      return;
    }
    if (size > this.#filling.bytes.length) this.#filling = emptyPage(size);
    const page = this.#filling;
    page.used += page.bytes.write(line, page.used, 'latin1');
    page.lines += 1;
  }

  /** Lets another thread write the page, if the file supports that. */
  handOver(): void {
    if (this.isEmpty || this.#failed) return;
    if (!this.#file.writeLater || this.#waiting.length >= MOST_WAITING) return this.drain();
    this.#queue();
    this.#pump();
  }

  /** Passes everything to the operating system before it returns. */
  drain(): void {
    if (!this.isEmpty) this.#queue();
    while (!this.#failed && this.#waiting[0]) {
      const page = this.#waiting[0];
      try {
        while (page.written < page.used)
          page.written += this.#file.write(page.bytes, page.written, page.used, page.at + page.written);
      } catch (error) {
        return this.#fail(error);
      }
      this.#waiting.shift();
      if (page !== this.#underWay) this.#recycle(page);
    }
  }

  /** Drains, and closes as soon as no other thread uses the file. */
  close(): void {
    this.drain();
    this.#isClosing = true;
    if (!this.#underWay) this.#closeNow();
  }

  #closeNow(): void {
    try {
      this.#file.close();
    } catch (error) {
      this.#onFailure(error);
    }
  }

  #queue(): void {
    const page = this.#filling;
    page.at = this.#end;
    this.#end += page.used;
    this.#waiting.push(page);
    this.#filling = this.#free.pop() ?? emptyPage(PAGE_BYTES);
  }

  #pump(): void {
    const page = this.#waiting[0];
    if (this.#underWay || !page || this.#failed) return;
    this.#underWay = page;
    this.#file.writeLater?.(page.bytes, page.written, page.used, page.at + page.written, (error, written) => {
      this.#underWay = undefined;
      // It may have written the rest of the page, or behind the new end, after the file was cut.
      if (this.#failed) this.#truncate();
      if (this.#isClosing) return this.#closeNow();
      if (this.#waiting[0] !== page) this.#recycle(page);
      else if (error) this.#fail(error);
      else this.#wrote(page, written);
      this.#pump();
    });
  }

  #wrote(page: Page, bytes: number): void {
    page.written += bytes;
    if (page.written < page.used) return;
    this.#waiting.shift();
    this.#recycle(page);
  }

  #recycle(page: Page): void {
    if (page.bytes.length !== PAGE_BYTES || this.#free.length >= MOST_WAITING) return;
    page.used = 0;
    page.lines = 0;
    page.written = 0;
    this.#free.push(page);
  }

  /** Truncates the file after the last complete line, if it supports that; the remaining lines are lost. */
  #fail(error: unknown): void {
    this.#failed = true;
    const page = this.#waiting[0];
    const through = page ? throughOf(page) : NOTHING_THROUGH;
    this.#lost += this.backlog - through.lines;
    this.#waiting = [];
    this.#free = [];
    this.#filling = emptyPage(0);
    this.#wholeEnd = through.end;
    this.#truncate();
    this.#onFailure(error);
  }

  #truncate(): void {
    try {
      if (this.#wholeEnd < this.#end) this.#file.truncate(this.#wholeEnd);
    } catch {
      // A torn last line remains; readers tolerate it.
    }
  }
}
