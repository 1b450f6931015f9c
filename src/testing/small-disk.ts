import { execFileSync } from 'node:child_process';
import { afterAll } from 'vitest';
import { temporaryFolder } from './cli.ts';

const mounted: string[] = [];
afterAll(() => {
  // Also one that a process still has open, which is ended after this.
  for (const folder of mounted.splice(0)) execFileSync('umount', ['--lazy', folder]);
});

/** A file system of so many kilobytes; undefined where this user may not mount one. */
export function smallDisk(kilobytes: number): string | undefined {
  const folder = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  mounted.push(folder);
  return folder;
}
