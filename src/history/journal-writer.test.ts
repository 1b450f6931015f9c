import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ExitCode, type SpillwayError, VirtualClock } from '../base/index.ts';
import { builtJournal } from '../testing/cli.ts';
import { end, exchange, header, us } from '../testing/history/sample-records.ts';
import { exchangeLine } from './exchange-line.ts';
import { createJournalFile, type JournalFile } from './journal-file.ts';
import { openJournal } from './journal-writer.ts';
import type { SentRecord } from './records.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spillway-journal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const sent = (seq: number): SentRecord => ({ kind: 'sent', seq, operation: 'readHistory', at: us(seq) });
const codeOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    const { code, exitCode, message } = error as SpillwayError;
    return { code, exitCode, message };
  }
  return undefined;
};
const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').slice(0, -1);

/** A file in memory that accepts at most `chunk` bytes per call and `room` bytes in total. */
function smallFile(room: number, chunk = Number.POSITIVE_INFINITY, cut = true) {
  let content = Buffer.alloc(0);
  const file: JournalFile = {
    write(bytes, from, to, at) {
      expect(at).toBe(content.length);
      const take = Math.min(chunk, room - content.length, to - from);
      if (take <= 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      content = Buffer.concat([content, bytes.subarray(from, from + take)]);
      return take;
    },
    truncate(length) {
      if (!cut) throw Object.assign(new Error('invalid argument'), { code: 'EINVAL' });
      content = content.subarray(0, length);
    },
    close() {},
  };
  return { file, text: () => content.toString('utf8') };
}

describe('openJournal', () => {
  it('never overwrites a file', () => {
    const path = join(folder, 'history.ndjson');
    writeFileSync(path, 'precious');
    const refusal = codeOf(() => openJournal({ path, clock: new VirtualClock() }));
    expect(refusal).toMatchObject({ code: 'JOURNAL_WRITE_FAILED', exitCode: ExitCode.targetUnusable });
    expect(refusal?.message).toContain('the file exists');
    expect(readFileSync(path, 'utf8')).toBe('precious');
  });

  it('says which folder is missing', () => {
    const refusal = codeOf(() =>
      openJournal({ path: join(folder, 'no', 'history.ndjson'), clock: new VirtualClock() }),
    );
    expect(refusal?.message).toBe(
      `${join(folder, 'no', 'history.ndjson')}: the history cannot be written: the folder does not exist; create it, or choose another`,
    );
  });

  it('writes each line immediately at low rates', () => {
    const path = join(folder, 'history.ndjson');
    const journal = openJournal({ path, clock: new VirtualClock() });
    journal.write(header());
    journal.write(sent(0));
    expect(linesOf(path).map((line) => JSON.parse(line).kind)).toEqual(['header', 'sent']);
    expect(journal.backlog()).toBe(0);
    journal.write(exchange({ seq: 0 }));
    journal.close();
    expect(JSON.parse(linesOf(path)[2] ?? '')).toEqual(exchange({ seq: 0 }));
  });

  it('omits sent lines and hands over pages above 1,000 records per second, after at most 50 ms', async () => {
    const path = join(folder, 'history.ndjson');
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
      const journal = openJournal({ file: slow.file, clock: new VirtualClock() });
      let seq = 0;
      const writeUpTo = (count: number) => {
        for (; seq < count; seq++) journal.write(exchange({ seq }));
      };
      writeUpTo(2_500);
      journal.flush();
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

  it('writes buffered records when it is closed, and nothing afterwards', () => {
    const path = join(folder, 'history.ndjson');
    const journal = openJournal({ path, clock: new VirtualClock() });
    for (let seq = 0; seq < 1_500; seq++) journal.write(exchange({ seq }));
    expect(journal.backlog()).toBeGreaterThan(0);
    journal.close();
    journal.close();
    journal.write(end());
    expect(linesOf(path)).toHaveLength(1_500);
    expect(journal.lost()).toBe(1);
    expect(journal.failure).toBeUndefined();
  });

  it('continues after short writes', () => {
    const small = smallFile(1_000_000, 7);
    const journal = openJournal({ file: small.file, clock: new VirtualClock() });
    journal.write(header());
    journal.write(exchange({ seq: 0, failure: 'größer' }));
    journal.close();
    const lines = small.text().split('\n');
    expect(lines.slice(0, -1).map((line) => JSON.parse(line))).toEqual([
      header(),
      exchange({ seq: 0, failure: 'größer' }),
    ]);
    expect(lines.at(-1)).toBe('');
  });
});

describe('a full disk', () => {
  const line = `${JSON.stringify(sent(0))}\n`;

  it('keeps complete lines, at whatever byte it fails, and is reported once', () => {
    for (let room = 0; room < 3 * line.length; room++) {
      const small = smallFile(room);
      const failures: SpillwayError[] = [];
      const journal = openJournal({
        file: small.file,
        clock: new VirtualClock(),
        onFailure: (error) => failures.push(error),
      });
      for (let round = 0; round < 5; round++) journal.write(sent(0));
      journal.close();
      const whole = Math.floor(room / line.length);
      expect(small.text()).toBe(line.repeat(whole));
      expect(failures.map(({ code, exitCode }) => ({ code, exitCode }))).toEqual([
        { code: 'JOURNAL_WRITE_FAILED', exitCode: 12 },
      ]);
      expect(journal.lost()).toBe(5 - whole);
      expect(journal.failure).toBe(failures[0]);
    }
  });

  it.each([
    ['only closing fails', 1_000],
    ['closing fails, too', 0],
  ])('is reported once, if %s', (_, room) => {
    const failures: SpillwayError[] = [];
    const close = () => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    };
    const file = { ...smallFile(room).file, close };
    const journal = openJournal({ file, clock: new VirtualClock(), onFailure: (error) => failures.push(error) });
    journal.write(sent(0));
    journal.close();
    expect(failures).toEqual([journal.failure]);
    expect(failures[0]?.message).toContain('the disk is full');
  });

  it.each([3, 3_000])('keeps the complete lines of a batch of %d, and counts the others as lost', (count) => {
    const length = exchangeLine(exchange({ seq: 1_001 })).length;
    const first = Array.from({ length: 1_000 }, (_, seq) => exchangeLine(exchange({ seq }))).join('');
    const small = smallFile(first.length + length + 5);
    const journal = openJournal({ file: small.file, clock: new VirtualClock() });
    for (let seq = 0; seq < 1_000; seq++) journal.write(exchange({ seq }));
    for (let seq = 1_001; seq <= 1_000 + count; seq++) journal.write(exchange({ seq }));
    journal.close();
    expect(small.text()).toBe(first + exchangeLine(exchange({ seq: 1_001 })));
    expect([journal.lost(), journal.backlog()]).toEqual([count - 1, 0]);
  });

  it('leaves a torn line if the file cannot be truncated', () => {
    const small = smallFile(line.length + 3, undefined, false);
    const journal = openJournal({ file: small.file, clock: new VirtualClock() });
    journal.write(sent(0));
    journal.write(sent(0));
    journal.close();
    expect(small.text()).toBe(line + line.slice(0, 3));
  });

  it.skipIf(!existsSync('/dev/full'))('is told in words when the system says ENOSPC', () => {
    const failures: string[] = [];
    const fd = openSync('/dev/full', 'w');
    const journal = openJournal({
      file: {
        write: (bytes, from, to) => writeSync(fd, bytes, from, to - from),
        truncate: () => undefined,
        close: () => closeSync(fd),
      },
      clock: new VirtualClock(),
      onFailure: (error) => failures.push(error.message),
    });
    journal.write(header());
    journal.close();
    expect(failures).toEqual(['the history cannot be written: the disk is full; free space, or choose another folder']);
  });

  it.skipIf(process.platform === 'win32')(
    'ends a real file with a whole line when the system cuts a write short',
    () => {
      const path = join(folder, 'history.ndjson');
      const script =
        "process.on('SIGXFSZ', () => {}); write(100); journal.close(); console.log(failed, journal.lost());";
      const out = inChild(path, 'ulimit -f 2', script);
      const text = readFileSync(path, 'utf8');
      const kept = linesOf(path).length;
      expect(text.endsWith('\n')).toBe(true);
      expect(kept).toBeGreaterThan(10);
      expect(out.stdout.trim()).toBe(`1 ${100 - kept}`);
    },
  );
});

describe.skipIf(process.platform === 'win32')('kill -9', () => {
  it('loses no line up to 1,000 records per second', () => {
    const path = join(folder, 'history.ndjson');
    const out = inChild(path, ':', "write(1_000); process.kill(process.pid, 'SIGKILL');");
    expect(out.signal).toBe('SIGKILL');
    expect(linesOf(path)).toHaveLength(1_000);
  });
});

/** Runs a script in its own process, which has a journal open; `write(n)` writes n `sent` records at one instant. */
function inChild(path: string, shell: string, script: string) {
  const prelude = `
    const { openJournal } = await import(${JSON.stringify(builtJournal)});
    let failed = 0;
    const clock = { now: () => 0, sleepUntil: () => new Promise(() => {}) };
    const journal = openJournal({ path: ${JSON.stringify(path)}, clock, onFailure: () => failed++ });
    const write = (count) => {
      for (let seq = 0; seq < count; seq++) journal.write({ kind: 'sent', seq, operation: 'readHistory', at: seq });
    };`;
  return spawnSync(
    'sh',
    ['-c', `${shell}; exec "$0" --input-type=module -e "$1"`, process.execPath, prelude + script],
    { encoding: 'utf8' },
  );
}
