import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type SpillwayError, VirtualClock } from '../../base/index.ts';
import { temporaryFolder } from '../../testing/cli.ts';
import { exchange, header } from '../../testing/history/sample-records.ts';
import { exchangeLine } from '../lines/exchange-line.ts';
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
