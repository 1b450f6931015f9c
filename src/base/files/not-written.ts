const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'a file of this name exists',
  EFBIG: 'the file would be larger than the system allows',
  EISDIR: 'a folder stands where a file should be',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a file stands where a folder should be',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
};

/** Why the system did not write, in words and with the path: `permission denied (/srv/out)`; its own message if there are none. */
export function whyNotWritten(error: unknown): string {
  // What was to be renamed is a temporary file, which tells nobody anything.
  const { code, message, path: source, dest: path = source } = error as NodeJS.ErrnoException & { dest?: string };
  const reason = code === undefined ? undefined : REASONS[code];
  if (reason === undefined) return message;
  return path === undefined ? reason : `${reason} (${path})`;
}
