import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { whyNotWritten } from './not-written.ts';

const folder = mkdtempSync(join(tmpdir(), 'spillway-not-written-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'file');
writeFileSync(file, '');
const empty = join(folder, 'empty');
mkdirSync(empty);

it.each([
  [() => mkdirSync(join(file, 'below')), `a file stands where a folder should be (${join(file, 'below')})`],
  [() => mkdirSync(file), `a file of this name exists (${file})`],
  [() => writeFileSync(folder, ''), `a folder stands where a file should be (${folder})`],
  [() => renameSync(file, empty), `a folder stands where a file should be (${empty})`],
  [() => failing('EACCES', '/srv/out'), 'permission denied (/srv/out)'],
  [() => failing('EROFS', '/srv/out'), 'the file system is read-only (/srv/out)'],
  [() => failing('ENOSPC'), 'the disk is full'],
  [() => failing('ENXIO'), 'ENXIO: as Node says it'],
])('what was not written is told why: case %#', (write, why) => {
  expect(reasonOf(write)).toBe(why);
});

function failing(code: string, path?: string): never {
  throw Object.assign(new Error(`${code}: as Node says it`), { code, ...(path !== undefined && { path }) });
}

function reasonOf(write: () => unknown): string {
  try {
    write();
    return 'written';
  } catch (error) {
    return whyNotWritten(error);
  }
}
