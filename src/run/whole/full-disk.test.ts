import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Summary } from '../../collect/index.ts';
import { PATIENCE_MS, shipped, spillway, temporaryFolder } from '../../testing/cli.ts';
import { resultsIn } from '../../testing/results.ts';
import { scenarioFile, WIDE_OPEN } from '../../testing/scenarios.ts';
import { smallDisk } from '../../testing/small-disk.ts';
import { typed } from '../../testing/typed.ts';

const traffic = `
name: traffic
${WIDE_OPEN}
journeys: { read: { steps: [createConversation: {}, repeat: { times: 10, steps: [readHistory: {}] }] } }
load: { model: closed-users, users: 3, duration: 5min }
`;

/** Reads every line except a torn last one. */
function wholeLines(folder: string): readonly unknown[] {
  const text = readFileSync(join(folder, 'history.ndjson'), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
}

describe.concurrent('a full disk', { timeout: PATIENCE_MS }, () => {
  it('ends the run with 12 at that moment, and keeps everything written so far', async () => {
    const out = join(temporaryFolder(), 'out');
    // No file may grow beyond 64 blocks; the journal is the first to reach this.
    const args = ['run', scenarioFile(traffic), '--quiet', '--out', out];
    const { code, err } = await spillway(args, { before: 'ulimit -f 64' });
    expect(code).toBe(12);
    expect(err).toContain('the history cannot be written: EFBIG');
    const { exchanges, end, header } = resultsIn(out);
    expect(header?.scenario).toBe('traffic');
    expect(exchanges.length).toBeGreaterThan(20);
    expect(end).toBeUndefined();
    expect(wholeLines(out).length).toBeGreaterThan(40);
    // Once there is room, the kept history is measured like any other, and reported as incomplete.
    const report = await typed(['report', out, '--json']);
    expect(report.code).toBe(0);
    expect((JSON.parse(report.out) as Summary).run.exchanges).toBe(exchanges.length);
    expect(resultsIn(out).summary().run).toMatchObject({ complete: false, exchanges: exchanges.length });
  });

  it('without room for the exports ends the run with 12, and they can be written elsewhere', async ({ skip }) => {
    const disk = smallDisk(96);
    if (disk === undefined) return skip('needs the right to mount a file system');
    const { code, err } = await typed(['run', scenarioFile(traffic), '--quiet', '--out', disk]);
    expect(code).toBe(12);
    expect(err).toContain('the results cannot be written: the disk is full; ');
    expect(err).toContain(`spillway report ${join(disk, 'history.ndjson')} --out FOLDER`);
    expect(err).not.toContain('a defect in spillway itself');
    expect(readdirSync(disk).sort()).toEqual(['history.ndjson', 'run.json']);
    const { exchanges } = resultsIn(disk);
    expect(exchanges.length).toBeGreaterThan(20);
    expect(wholeLines(disk).length).toBeGreaterThan(40);
    const elsewhere = temporaryFolder();
    const report = await typed(['report', join(disk, 'history.ndjson'), '--out', elsewhere]);
    expect(report.code).toBe(0);
    expect(resultsInRows(elsewhere)).toBe(exchanges.length);
  });

  it('is reported before the first request if it is full from the start', async ({ skip }) => {
    const disk = smallDisk(4);
    if (disk === undefined) return skip('needs the right to mount a file system');
    writeFileSync(join(disk, 'ballast'), Buffer.alloc(4_096));
    const out = join(disk, 'out');
    mkdirSync(out, { recursive: true });
    const { code, err } = await typed(['run', shipped('smoke.yaml'), '--quiet', '--out', out]);
    expect(code).toBe(12);
    expect(err).toMatch(/the (results|history) cannot be written/);
    expect(readdirSync(out)).toEqual([]);
  });
});

const resultsInRows = (folder: string) =>
  readFileSync(join(folder, 'requests.csv'), 'utf8').trimEnd().split('\n').length - 1;

describe.concurrent('a results folder', { timeout: PATIENCE_MS }, () => {
  it('that cannot be created is reported before anything is started: 12', async () => {
    const file = join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { code, err } = await typed(['run', shipped('smoke.yaml'), '--out', join(file, 'out')]);
    expect(code).toBe(12);
    expect(err).toContain('the results folder cannot be written: a file stands where a folder should be');
    expect(err).toContain('choose another with --out');
  });

  it('cannot be created below a file named results: 12', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'results'), '');
    const { code, err } = await typed(['run', shipped('smoke.yaml')], cwd);
    expect(code).toBe(12);
    expect(err).toContain('the results folder cannot be written');
  });

  it('that is not empty is left unchanged: 12', async () => {
    const out = temporaryFolder();
    writeFileSync(join(out, 'precious'), 'yes');
    const { code, err } = await typed(['run', shipped('smoke.yaml'), '--out', out]);
    expect(code).toBe(12);
    expect(err).toContain(`${out} is not empty, and a run never overwrites`);
    expect(readdirSync(out)).toEqual(['precious']);
  });

  it('that existed before and was empty is kept if nothing could be recorded', async () => {
    const out = temporaryFolder();
    const { code } = await typed(['run', shipped('smoke.yaml'), '--target', 'http://127.0.0.1:1', '--out', out]);
    expect(code).toBe(104);
    expect(readdirSync(out)).toEqual([]);
  });

  it('of a report that cannot be written ends with 12, and the journal is unchanged', async () => {
    const cwd = temporaryFolder();
    expect((await typed(['run', shipped('smoke.yaml'), '--quiet', '--out', 'run'], cwd)).code).toBe(0);
    const before = readFileSync(join(cwd, 'run', 'history.ndjson'), 'utf8');
    const { code, err } = await typed(['report', 'run', '--out', 'run/run.json/below'], cwd);
    expect(code).toBe(12);
    expect(err).toContain('the results cannot be written: a file stands where a folder should be');
    expect(readFileSync(join(cwd, 'run', 'history.ndjson'), 'utf8')).toBe(before);
  });
});
