import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './cli.ts';

/** Writes a scenario into a folder of its own. @returns its path */
export function scenarioFile(text: string, name = 'scenario.yaml'): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

/** For tests of what a run does, not of whether this machine, busy with other tests, is quick enough for its numbers. */
export const WHATEVER_THE_MACHINE = 'generator: { enforce: false }';

/** A service whose limits are out of the way, and declared so. */
export const WIDE_OPEN =
  'profile: { limits: { rate: { max: 1000000 }, concurrency: { max: 10000 }, daily: { max: 1000000 } } }';
