import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ExitCode, type SpillwayError, VirtualClock } from '../../base/index.ts';
import { temporaryFolder } from '../../testing/cli.ts';
import { end, exchange, header } from '../../testing/history/sample-records.ts';
import { inChild, linesOf, sent, smallFile } from './journal-files.exam.ts';
import { openJournal } from './journal-writer.ts';

const codeOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    const { code, exitCode, message } = error as SpillwayError;
    return { code, exitCode, message };
  }
  return undefined;
};

describe('openJournal', () => {
  it('never overwrites a file', () => {
    const path = join(temporaryFolder(), 'history.ndjson');
    writeFileSync(path, 'precious');
    const refusal = codeOf(() => openJournal({ path, clock: new VirtualClock() }));
    expect(refusal).toMatchObject({ code: 'JOURNAL_WRITE_FAILED', exitCode: ExitCode.targetUnusable });
    expect(refusal?.message).toContain('the file exists');
    expect(readFileSync(path, 'utf8')).toBe('precious');
  });

  it('says which folder is missing', () => {
    const path = join(temporaryFolder(), 'no', 'history.ndjson');
    const refusal = codeOf(() => openJournal({ path, clock: new VirtualClock() }));
    expect(refusal?.message).toBe(
      `${path}: the history cannot be written: the folder does not exist; create it, or choose another`,
    );
  });

  it('writes each line immediately at low rates', () => {
    const path = join(temporaryFolder(), 'history.ndjson');
    const journal = openJournal({ path, clock: new VirtualClock() });
    journal.write(header());
    journal.write(sent(0));
    expect(linesOf(path).map((line) => JSON.parse(line).kind)).toEqual(['header', 'sent']);
    expect(journal.backlog()).toBe(0);
    journal.write(exchange({ seq: 0 }));
    journal.close();
    expect(JSON.parse(linesOf(path)[2] ?? '')).toEqual(exchange({ seq: 0 }));
  });

  it('writes buffered records when it is closed, and nothing afterwards', () => {
    const path = join(temporaryFolder(), 'history.ndjson');
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

describe.skipIf(process.platform === 'win32')('kill -9', () => {
  it('loses no line up to 1,000 records per second', () => {
    const path = join(temporaryFolder(), 'history.ndjson');
    const out = inChild(path, ':', "write(1_000); process.kill(process.pid, 'SIGKILL');");
    expect(out.signal).toBe('SIGKILL');
    expect(linesOf(path)).toHaveLength(1_000);
  });
});
