import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type Micros, VirtualClock } from '../../base/index.ts';
import { temporaryFolder } from '../../testing/cli.ts';
import { exchange, us } from '../../testing/history/sample-records.ts';
import { exchangeLine } from '../lines/exchange-line.ts';
import { createJournalFile, type JournalFile } from './journal-file.ts';
import { linesOf, sent, smallFile } from './journal-files.exam.ts';
import { openJournal } from './journal-writer.ts';

describe('openJournal', () => {
  it('omits sent lines and hands over pages above 1,000 records per second, after at most 50 ms', async () => {
    const path = join(temporaryFolder(), 'history.ndjson');
    const clock = new VirtualClock();
    const { write, writeLater, ...rest } = createJournalFile(path);
    // Replaces the writing thread: writes synchronously.
    const handedOver = vi.fn<NonNullable<typeof writeLater>>((bytes, from, to, at, done) =>
      done(null, write(bytes, from, to, at)),
    );
    const journal = openJournal({ file: { ...rest, write, writeLater: handedOver }, clock });
    await clock.run(async () => {
      await clock.sleepUntil(us(7_000_000));
      for (let seq = 0; seq < 500; seq++) {
        journal.write(sent(seq));
        journal.write(exchange({ seq }));
      }
      expect(linesOf(path)).toHaveLength(1_000);
      journal.write(sent(500));
      journal.write(exchange({ seq: 500 }));
      journal.write(exchange({ seq: 501 }));
      expect(linesOf(path)).toHaveLength(1_000);
      expect(journal.backlog()).toBe(2);
      await clock.sleepUntil(us(7_049_999));
      expect(journal.backlog()).toBe(2);
      await clock.sleepUntil(us(7_050_001));
      expect(journal.backlog()).toBe(0);
      expect(handedOver).toHaveBeenCalledTimes(1);
      expect(linesOf(path)).toHaveLength(1_002);
      // The second with more than 1,000 records has passed.
      await clock.sleepUntil(us(8_200_000));
      journal.write(sent(502));
      expect(JSON.parse(linesOf(path).at(-1) ?? '')).toEqual(sent(502));
      journal.close();
    });
  });

  it('writes pages itself, as soon, if the file has no thread that writes', async () => {
    const small = smallFile(1_000_000);
    const clock = new VirtualClock();
    const journal = openJournal({ file: small.file, clock });
    await clock.run(async () => {
      for (let seq = 0; seq < 1_010; seq++) journal.write(exchange({ seq }));
      expect(journal.backlog()).toBe(10);
      await clock.sleepUntil(us(50_001));
      expect(journal.backlog()).toBe(0);
      expect(small.text().split('\n')).toHaveLength(1_011);
      journal.write(exchange({ seq: 1_010 }));
      expect(journal.backlog()).toBe(1);
      await clock.sleepUntil(us(100_002));
      expect(journal.backlog()).toBe(0);
    });
  });

  it('gives the thread that writes one page at a time, and loses none', () => {
    const small = smallFile(10_000_000);
    const underWay: (() => void)[] = [];
    const writeLater: JournalFile['writeLater'] = (bytes, from, to, at, done) =>
      void underWay.push(() => done(null, small.file.write(bytes, from, to, at)));
    const journal = openJournal({ file: { ...small.file, writeLater }, clock: new VirtualClock() });
    for (let seq = 0; seq < 5_000; seq++) journal.write(exchange({ seq }));
    let pages = 0;
    for (let write = underWay.shift(); write; write = underWay.shift(), pages++) {
      expect(underWay).toHaveLength(0);
      write();
    }
    expect(pages).toBeGreaterThan(2);
    journal.close();
    expect(small.text()).toBe(Array.from({ length: 5_000 }, (_, seq) => exchangeLine(exchange({ seq }))).join(''));
    expect(journal.lost()).toBe(0);
  });

  it('stays dense while sent lines that it omits would make it so', async () => {
    const small = smallFile(10_000_000);
    const clock = new VirtualClock();
    const journal = openJournal({ file: small.file, clock });
    await clock.run(async () => {
      // 1,200 records a second with their sent lines, 600 without.
      for (let seq = 0; seq < 3_000; seq++) {
        await clock.sleepUntil(us(Math.floor((seq * 1_000_000) / 600)));
        if (journal.announces()) journal.write(sent(seq));
        journal.write(exchange({ seq }));
      }
    });
    const kinds = small.text().split('\n').slice(0, -1);
    const announced = kinds.filter((line) => line.startsWith('{"kind":"sent"')).length;
    expect(announced).toBeGreaterThan(400);
    expect(announced).toBeLessThan(700);
  });

  it('hands a page over 50 ms after its first line, though further lines arrive all the time', async () => {
    const small = smallFile(10_000_000);
    const clock = new VirtualClock();
    const journal = openJournal({ file: small.file, clock });
    let most = 0;
    await clock.run(async () => {
      for (let seq = 0; seq < 4_000; seq++) {
        await clock.sleepUntil(us(seq * 500));
        journal.write(exchange({ seq }));
        most = Math.max(most, journal.backlog());
      }
    });
    // Two lines each millisecond.
    expect(most).toBeGreaterThan(90);
    expect(most).toBeLessThanOrEqual(101);
  });

  describe('with a thread that has not written its page yet', () => {
    /** A file whose other thread writes when it is told to. */
    function slowFile() {
      const content = Buffer.alloc(20_000_000);
      let end = 0;
      const underWay: (() => void)[] = [];
      const write: JournalFile['write'] = (bytes, from, to, at) => {
        content.set(bytes.subarray(from, to), at);
        end = Math.max(end, at + to - from);
        return to - from;
      };
      const close = vi.fn<() => void>();
      const file: JournalFile = {
        write,
        writeLater: (bytes, from, to, at, done) => void underWay.push(() => done(null, write(bytes, from, to, at))),
        truncate: () => undefined,
        close,
      };
      return { file, close, goOn: () => underWay.shift()?.(), text: () => content.toString('latin1', 0, end) };
    }
    const lines = (count: number) =>
      Array.from({ length: count }, (_, seq) => exchangeLine(exchange({ seq }))).join('');

    it('neither changes that page nor closes the file', () => {
      const slow = slowFile();
      const clock = new VirtualClock();
      const journal = openJournal({ file: slow.file, clock });
      let seq = 0;
      const writeUpTo = (count: number) => {
        for (; seq < count; seq++) journal.write(exchange({ seq }));
      };
      writeUpTo(2_499);
      // A record that comes alone passes everything to the system at once.
      clock.set(2_000_000 as Micros);
      writeUpTo(2_500);
      expect(slow.text()).toBe(lines(2_500));
      writeUpTo(4_500);
      slow.goOn();
      journal.close();
      expect(slow.close).toHaveBeenCalledTimes(0);
      slow.goOn();
      expect(slow.close).toHaveBeenCalledTimes(1);
      expect(slow.text()).toBe(lines(4_500));
    });

    it('keeps a bounded number of lines in memory, and loses none', () => {
      const slow = slowFile();
      const journal = openJournal({ file: slow.file, clock: new VirtualClock() });
      let most = 0;
      for (let seq = 0; seq < 40_000; seq++) {
        journal.write(exchange({ seq }));
        most = Math.max(most, journal.backlog());
      }
      journal.close();
      // 34 pages of 256 KiB.
      expect(most * exchangeLine(exchange({ seq: 9_999 })).length).toBeLessThan(34 * 256 * 1_024);
      expect(most).toBeGreaterThan(20_000);
      expect(slow.text()).toBe(lines(40_000));
    });
  });
});
