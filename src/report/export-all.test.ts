import { lstat, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JournalRecord } from '../history/index.ts';
import { summaryOf } from '../testing/measured.ts';
import { exportAll, exportText } from './export-all.ts';
import { exporters } from './exporters/index.ts';
import { exchange, header, sampleRun } from './exporters/journals.exam.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spillway-export-'));
});
afterEach(() => rm(folder, { recursive: true }));

const journalText = (records: readonly JournalRecord[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

async function journal(text: string): Promise<string> {
  const path = join(folder, 'history.ndjson');
  await writeFile(path, text);
  return path;
}

const contents = async (): Promise<Record<string, string>> => {
  const names = (await readdir(folder)).filter((name) => name !== 'history.ndjson').sort();
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')])),
  );
};

describe('exportAll', () => {
  it('removes partial files of ended processes, but not of running ones', async () => {
    const path = await journal(journalText(sampleRun));
    // 4999999 is above the maximum process id.
    for (const name of ['summary.json.4999999.partial', `requests.csv.${process.ppid}.partial`, 'mine.partial'])
      await writeFile(join(folder, name), 'half');
    await exportAll(folder, path);
    const partial = Object.keys(await contents()).filter((name) => name.endsWith('.partial'));
    expect(partial).toEqual(['mine.partial', `requests.csv.${process.ppid}.partial`]);
  });

  it.each([
    ['EPERM', 'another user', ['summary.json.4999999.partial']],
    ['ESRCH', 'nobody', []],
  ])('takes a process that may not be asked (%s) for one of %s', async (code, _, left) => {
    const path = await journal(journalText(sampleRun));
    await writeFile(join(folder, 'summary.json.4999999.partial'), '');
    const asked = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error(code), { code });
    });
    await exportAll(folder, path).finally(() => asked.mockRestore());
    expect(Object.keys(await contents()).filter((name) => name.endsWith('.partial'))).toEqual(left);
  });

  it('writes every export, the same as from records in memory, and nothing else', async () => {
    const path = await journal(journalText(sampleRun));
    const exported = await exportAll(folder, path);
    const expected = Object.values(exporters).map((exporter) => [exporter.file, exportText(exporter, sampleRun)]);
    expect(await contents()).toEqual(Object.fromEntries(expected));
    expect(exported.journal).toMatchObject({ whole: true, tornLastLine: false });
    expect(exported.summary.total.count).toBe(8);
  });

  it('rebuilds the same bytes over older exports', async () => {
    const path = await journal(journalText(sampleRun));
    await exportAll(folder, path);
    const first = await contents();
    await writeFile(join(folder, 'requests.csv'), 'older');
    await exportAll(folder, path);
    expect(await contents()).toEqual(first);
  });

  it('exports an incomplete journal after a crash, and says so', async () => {
    const whole = journalText(sampleRun.slice(0, 7));
    const { journal: report, summary } = await exportAll(folder, await journal(`${whole}{"kind":"exchange","se`));
    expect(report.tornLastLine).toBe(true);
    expect(summary.run).toMatchObject({ complete: false, incompleteBecause: 'no-end', exchanges: 4 });
    expect((await contents())['requests.csv']?.split('\n')).toHaveLength(6);
  });

  it('changes no file if the journal cannot be read', async () => {
    await writeFile(join(folder, 'summary.json'), 'older');
    await expect(exportAll(folder, await journal('not a history\n'))).rejects.toThrow('is not a history');
    expect(await contents()).toEqual({ 'summary.json': 'older' });
  });

  it.skipIf(process.platform === 'win32')(
    'does not write through a link that has the name of a partial file',
    async () => {
      const path = await journal(journalText(sampleRun));
      await mkdir(join(folder, 'results'));
      await writeFile(join(folder, 'precious'), 'mine');
      for (const name of ['summary.json', 'report.html'])
        await symlink('../precious', join(folder, 'results', `${name}.${process.pid}.partial`));
      await exportAll(join(folder, 'results'), path);
      expect(await readFile(join(folder, 'precious'), 'utf8')).toBe('mine');
      const summary = join(folder, 'results', 'summary.json');
      expect((await lstat(summary)).isSymbolicLink()).toBe(false);
      expect(JSON.parse(await readFile(summary, 'utf8')).format).toBe('spillway-summary');
      expect((await readdir(join(folder, 'results'))).filter((name) => name.endsWith('.partial'))).toEqual([]);
    },
  );

  it('reports why a file cannot be written, and leaves no partial files', async () => {
    const path = await journal(journalText(sampleRun));
    await expect(exportAll(join(folder, 'missing'), path)).rejects.toThrow('ENOENT');
    const blocked = join(folder, 'blocked');
    await mkdir(join(blocked, 'summary.json'), { recursive: true });
    await expect(exportAll(blocked, path)).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(await readdir(blocked)).toEqual(['summary.json']);
  });

  it('waits for the disk: writes 4,000 exchanges, many buffers full, completely and in order', async () => {
    const many = [header(), ...Array.from({ length: 4_000 }, (_, seq) => exchange(seq, { status: 200 }))];
    await exportAll(folder, await journal(journalText(many)));
    const text = await readFile(join(folder, 'requests.csv'), 'utf8');
    const seqs = text
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => Number(line.slice(0, line.indexOf(','))));
    expect(seqs).toEqual(Array.from({ length: 4_000 }, (_, seq) => seq));
    expect(JSON.parse(await readFile(join(folder, 'summary.json'), 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(summaryOf(many))),
    );
  });
});
