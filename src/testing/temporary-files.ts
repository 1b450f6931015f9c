import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = 'spillway-tests-';

/**
 * Gives the whole run of the tests one folder for whatever they write, and takes it away with all that they left. Each project
 * of the configuration calls it: a folder in the other's would make paths too long for a browser's socket.
 */
export default function oneFolder(): (() => void) | undefined {
  if (basename(tmpdir()).startsWith(PREFIX)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  process.env.TMPDIR = folder;
  // A browser that is ending still writes into its profile.
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
