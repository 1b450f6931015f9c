import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './cli.ts';

/** Writes a scenario into a folder of its own. @returns its path */
export function scenarioFile(text: string, name = 'scenario.yaml'): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

/** A sandbox whose limits are out of the way. */
export const WIDE_OPEN = 'sandbox: { limits: { rate: 1000000, concurrency: 10000, daily: 1000000 } }';
