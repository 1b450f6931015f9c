/** System calls that only look. What cannot be written has its own errors. */
const READING: ReadonlySet<unknown> = new Set(['stat', 'lstat', 'scandir', 'open', 'access']);

/** What to say if an error means that this user may not read a path, or is in no folder; `undefined` for any other error. */
export function lockedPath(error: unknown): string | undefined {
  const { code, syscall, path } = (error ?? {}) as NodeJS.ErrnoException;
  if (syscall === 'uv_cwd') return 'spillway: the working folder does not exist any more; change to one that does\n';
  const isLocked = (code === 'EACCES' || code === 'EPERM') && READING.has(syscall) && path !== undefined;
  const advice = 'check its permissions and those of the folders above it';
  return isLocked ? `spillway: ${path} cannot be read: permission denied; ${advice}\n` : undefined;
}
