import { dirname, isAbsolute, join } from 'node:path';
import { STANDARD_INPUT } from '../../base/index.ts';
import type { Fault, Path } from '../validation/faults.ts';

/** Resolves a path of a scenario, which is relative to the scenario file, or to the working directory if there is no file. */
export const besideScenario = (scenarioFile: string, named: string): string =>
  isAbsolute(named) || scenarioFile === STANDARD_INPUT ? named : join(dirname(scenarioFile), named);

/** @param path where the scenario names the file */
export const noSuchFile = (path: Path, file: string): Fault => ({
  path,
  message: `there is no file ${file}`,
  hint: 'the path is relative to the scenario',
});
