import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives the whole run of the tests one folder for whatever they write, and takes it away with all that they left. */
export default function oneFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-tests-'));
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
