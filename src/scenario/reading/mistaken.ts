import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { TargetProfileSchema } from '../../api/index.ts';
import { type ConfigProblem, isRecord, shellWord, statIfThere } from '../../base/index.ts';
import { ScenarioSchema } from '../schema/schema.ts';

/** What a file is expected to be. */
export type Expected = 'scenario' | 'profile';

type Mistaken = ConfigProblem | undefined;

/** A run's folder or journal in place of a scenario or a profile: what it is, and what to do with it. */
export function mistakenPath(file: string, expected: Expected): Mistaken {
  const isFolder = statIfThere(file)?.isDirectory() ?? false;
  if (isFolder && existsSync(join(file, 'history.ndjson'))) return ofRun(file, 'the folder of a run', expected);
  if (isFolder && existsSync(join(file, 'rounds.json')))
    return problem(
      file,
      `is the folder of repeated runs, not a ${expected}`,
      'spillway check judges each run below it',
    );
  if (isFolder) return problem(file, 'cannot be read: it is a folder', 'name a file in it');
  return extname(file) === '.ndjson' && existsSync(file) ? ofRun(file, 'the journal of a run', expected) : undefined;
}

/** A document of another kind in place of a scenario or a profile; `undefined` if it may be what is expected. */
export function mistakenDocument(file: string, value: unknown, expected: Expected): Mistaken {
  if (!isRecord(value)) return undefined;
  if (typeof value.format === 'string' && value.format.startsWith('spillway-')) {
    const hint = `a ${expected} is what the run was started with`;
    return problem(file, `is a result of a run (${value.format}), not a ${expected}`, hint);
  }
  const kind = kindOf(value);
  if (kind === undefined || kind === expected) return undefined;
  return expected === 'scenario'
    ? problem(file, 'is a profile, not a scenario', `name a scenario, and this file with --profile ${shellWord(file)}`)
    : problem(file, 'is a scenario, not a profile', 'name it as the scenario; a profile has baseUrl, limits and more');
}

/** By the keys that only one of the two has; `undefined` where there are keys of both, or of neither. */
function kindOf(value: Readonly<Record<string, unknown>>): Expected | undefined {
  const [scenario, profile] = [keysOf(ScenarioSchema), keysOf(TargetProfileSchema)];
  const keys = Object.keys(value);
  const isOnlyOf = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
    keys.some((key) => one.has(key) && !other.has(key)) && !keys.some((key) => other.has(key) && !one.has(key));
  if (isOnlyOf(scenario, profile)) return 'scenario';
  return isOnlyOf(profile, scenario) ? 'profile' : undefined;
}

const keysOf = ({ shape }: { readonly shape: object }): ReadonlySet<string> => new Set(Object.keys(shape));

const ofRun = (file: string, what: string, expected: Expected): ConfigProblem =>
  problem(
    file,
    `is ${what}, not a ${expected}`,
    `to judge it, write spillway check ${shellWord(file)}; for its files, spillway report ${shellWord(file)}`,
  );

const problem = (file: string, message: string, hint: string): ConfigProblem => ({ file, path: '', message, hint });
