import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = 'spillway-tests-';

/**
 * Creates one temporary folder for the whole test run and removes it at the end. Each project of the configuration calls it; a nested
 * folder would make paths too long for a browser's socket, so only the first call creates one.
 */
export default function oneFolder(): (() => void) | undefined {
  if (basename(tmpdir()).startsWith(PREFIX)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  process.env.TMPDIR = folder;
  // Retries, because a browser that is closing still writes to its profile.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
