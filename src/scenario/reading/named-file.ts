import { dirname, isAbsolute, join } from 'node:path';
import type { Fault, Path } from '../validation/faults.ts';

/** Resolves a path of a scenario, which is relative to the scenario file. */
export const besideScenario = (scenarioFile: string, named: string): string =>
  isAbsolute(named) ? named : join(dirname(scenarioFile), named);

/** @param path where the scenario names the file */
export const noSuchFile = (path: Path, file: string): Fault => ({
  path,
  message: `there is no file ${file}`,
  hint: 'the path is relative to the scenario',
});
