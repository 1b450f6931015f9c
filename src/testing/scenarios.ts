import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './cli.ts';

/** Writes a scenario into a temporary folder. @returns its path */
export function scenarioFile(text: string, name = 'scenario.yaml'): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, text);
  return file;
}

/** For tests that must not fail because this machine is busy and the generator slow. */
export const WHATEVER_THE_MACHINE = 'generator: { enforce: false }';

/** A profile whose limits never apply. */
export const WIDE_OPEN =
  'profile: { limits: { rate: { max: 1000000 }, concurrency: { max: 10000 }, daily: { max: 1000000 } } }';
