import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type SpillwayError, VirtualClock } from '../../base/index.ts';
import { temporaryFolder } from '../../testing/cli.ts';
import { exchange, header, us } from '../../testing/history/sample-records.ts';
import { exchangeLine } from '../lines/exchange-line.ts';
import type { JournalFile } from './journal-file.ts';
import { inChild, linesOf, sent, smallFile } from './journal-files.exam.ts';
import { openJournal } from './journal-writer.ts';

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

  it('is cut after its last complete line, though another thread goes on writing', () => {
    const of = (seqs: number) => Array.from({ length: seqs }, (_, seq) => exchangeLine(exchange({ seq }))).join('');
    const clock = new VirtualClock();
    const content = Buffer.alloc(1_000_000);
    let [end, room] = [0, of(1_500).length + 5];
    const underWay: (() => void)[] = [];
    const write: JournalFile['write'] = (bytes, from, to, at) => {
      const take = Math.min(to - from, room - at);
      if (take <= 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      content.set(bytes.subarray(from, from + take), at);
      end = Math.max(end, at + take);
      return take;
    };
    const truncate = (length: number) => {
      end = length;
    };
    const close = vi.fn<() => void>();
    const file: JournalFile = {
      ...{ write, truncate, close },
      writeLater: (bytes, from, to, at, done) => void underWay.push(() => done(null, write(bytes, from, to, at))),
    };
    const journal = openJournal({ file, clock });
    for (let seq = 0; seq < 2_000; seq++) journal.write(exchange({ seq }));
    // A record that comes alone passes everything to the system at once, which fails before the thread has begun.
    clock.set(us(2_000_000));
    journal.write(exchange({ seq: 2_000 }));
    expect(journal.failure).toBeDefined();
    room += 100;
    expect(underWay.splice(0).map((goOn) => goOn())).toHaveLength(1);
    journal.close();
    expect(content.toString('latin1', 0, end)).toBe(of(1_500));
    expect([journal.lost(), close.mock.calls.length]).toEqual([501, 1]);
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
      const path = join(temporaryFolder(), 'history.ndjson');
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
