import { execFileSync } from 'node:child_process';
import { temporaryFolder } from './cli.ts';
import { afterThisFile } from './leftovers.ts';

/** A file system of so many kilobytes; undefined where this user may not mount one. */
export function smallDisk(kilobytes: number): string | undefined {
  const folder = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  // Also one that a process still has open, which is ended after this.
  afterThisFile(() => void execFileSync('umount', ['--lazy', folder]));
  return folder;
}
