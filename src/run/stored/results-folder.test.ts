import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../disk.ts';
import { checkUnused, createResultsFolder, locateRun, removeResultsFolder } from './results-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'spillway-results-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('a folder for results', () => {
  it('is created with its parents, once', () => {
    const folder = join(root, 'a/b/c');
    expect(makeFolder(folder)).toBe(true);
    expect(makeFolder(folder)).toBe(false);
    expect(statSync(folder).isDirectory()).toBe(true);
  });

  it('is not created in place of a file, nor below one', () => {
    writeFileSync(join(root, 'file'), '');
    expect(() => makeFolder(join(root, 'file'))).toThrow('EEXIST');
    expect(() => makeFolder(join(root, 'file/below'))).toThrow('ENOTDIR');
  });

  // `mkdirSync` with `recursive` never returns here.
  it.skipIf(process.platform !== 'linux')('that the system cannot create is an error at once', () => {
    expect(() => makeFolder('/proc/spillway/results')).toThrow('ENOENT');
    expect(() => createResultsFolder('test', new Date(0), '/proc/spillway')).toThrow('choose another with --out');
  });

  it('is new or empty', () => {
    mkdirSync(join(root, 'empty'));
    expect(createResultsFolder('test', new Date(0), join(root, 'empty'))).toEqual({
      path: join(root, 'empty'),
      isNew: false,
    });
    expect(createResultsFolder('test', new Date(0), join(root, 'new')).isNew).toBe(true);
    expect(() => createResultsFolder('test', new Date(0), root)).toThrow('is not empty');
    expect(() => checkUnused(root)).toThrow('is not empty');
    for (const other of ['empty', 'file', 'file/below', 'nowhere'])
      expect(() => checkUnused(join(root, other)), other).not.toThrow();
  });

  it('is removed with what is in it after a run that recorded nothing, but only emptied where it was there before', () => {
    const there = join(root, 'there');
    mkdirSync(there);
    const made = join(root, 'made');
    for (const path of [there, made]) {
      const folder = createResultsFolder('test', new Date(0), path);
      mkdirSync(join(path, 'below'));
      writeFileSync(join(path, 'below/file'), '');
      removeResultsFolder(folder);
    }
    expect(readdirSync(there)).toEqual([]);
    expect(existsSync(made)).toBe(false);
  });

  it('cannot be a pipe or a device', () => {
    expect(() => locateRun('/dev/null')).toThrow(
      '/dev/null: is not a run: neither a folder nor a file; a journal is read more than once: write what a pipe delivers into a file',
    );
  });

  // Nothing is locked for root.
  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('that is locked is named itself', () => {
    const folder = join(root, 'locked');
    mkdirSync(folder, { mode: 0 });
    expect(() => locateRun(folder)).toThrow(expect.objectContaining({ code: 'EACCES', path: folder }));
  });

  it.skipIf(process.platform === 'win32')('with a list of rounds that is a device is not read as one of rounds', () => {
    const folder = join(root, 'linked');
    mkdirSync(folder);
    symlinkSync('/dev/null', join(folder, 'rounds.json'));
    writeFileSync(join(folder, 'history.ndjson'), '{}');
    expect(locateRun(folder)).toEqual({ folder, journal: join(folder, 'history.ndjson') });
  });

  it('of rounds is not a run, and the error names its runs', () => {
    const folder = join(root, 'rounds');
    mkdirSync(folder);
    writeFileSync(join(folder, 'rounds.json'), '{}');
    expect(() => locateRun(folder)).toThrow(
      `${folder}: is a folder of rounds; none of them is recorded: run them again`,
    );
    mkdirSync(join(folder, 'round-001', 'base'), { recursive: true });
    writeFileSync(join(folder, 'round-001', 'base', 'history.ndjson'), '{}');
    const told = `${folder}: is a folder of rounds; name one of its runs, such as ${folder}/round-001/base`;
    expect(() => locateRun(folder)).toThrow(told);
  });
});
