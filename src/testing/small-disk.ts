import { execFileSync } from 'node:child_process';
import { temporaryFolder } from './cli.ts';
import { afterThisFile } from './leftovers.ts';

/** Mounts a file system of this size. @returns undefined if this user may not mount one */
export function smallDisk(kilobytes: number): string | undefined {
  const folder = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  // Lazy, because a process that is ended only after this may still have files open.
  afterThisFile(() => void execFileSync('umount', ['--lazy', folder]));
  return folder;
}
