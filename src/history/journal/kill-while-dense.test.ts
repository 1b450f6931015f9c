import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { builtJournal } from '../../testing/cli.ts';
import type { Exchange } from '../records.ts';
import { readJournalSync } from './journal-reader.ts';

/**
 * Writes 1,500 exchanges per second to a journal until it is killed. In a separate file, which a kill does not affect, it keeps the
 * number and the time of the last exchange and the longest time for which the process was not scheduled.
 */
const writer = (journal: string, progress: string) => `
  const { openSync, writeSync } = await import('node:fs');
  const { exchange, header, openJournal, realClock } = await import(${JSON.stringify(builtJournal)});
  const clock = realClock();
  const journal = openJournal({ path: ${JSON.stringify(journal)}, clock });
  journal.write(header());
  const progress = openSync(${JSON.stringify(progress)}, 'w');
  const note = new Float64Array(3);
  let last = clock.now();
  let seq = 0;
  // Without the test nobody would kill it.
  process.stdin.on('end', () => process.exit()).resume();
  setInterval(() => {
    const now = clock.now();
    for (; seq < now * 0.0015; seq++) journal.write(exchange({ seq, sentAt: now }));
    note.set([seq - 1, now, Math.max(note[2], now - last)]);
    last = now;
    writeSync(progress, note, 0, 24, 0);
  }, 1);
`;

it.skipIf(process.platform === 'win32')(
  'kill -9 above 1,000 records a second loses the last 100 ms at the most, from the end, and leaves no hole',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'spillway-kill-'));
    const [path, progress] = [join(folder, 'history.ndjson'), join(folder, 'progress')];
    const noted = () => {
      const bytes = existsSync(progress) ? readFileSync(progress) : Buffer.alloc(0);
      const number = (index: number) => (bytes.length < 24 ? 0 : bytes.readDoubleLE(index * 8));
      return { seq: number(0), at: number(1), stallUs: number(2) };
    };
    const child = spawn(process.execPath, ['--input-type=module', '-e', writer(path, progress)], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    try {
      while (noted().seq < 4_850 && child.exitCode === null) await sleep(20);
      child.kill('SIGKILL');
      await once(child, 'exit');
      const { at, stallUs } = noted();
      const records: Exchange[] = [];
      const reading = readJournalSync(path);
      for (const record of reading) if (record.kind === 'exchange') records.push(record);
      // Consecutive from the first on: records are missing only at the end.
      expect(records.map((record) => record.seq)).toEqual(records.map((_, index) => index));
      expect(reading.report()).toMatchObject({ badLines: 0, whole: false });
      expect(records.length).toBeGreaterThan(3_000);
      // The last noted record was written at that time; the allowance covers times in which the process was not scheduled.
      const kept = records.at(-1)?.sentAt ?? 0;
      expect(at - kept).toBeLessThanOrEqual(100_000 + 2 * stallUs);
    } finally {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
