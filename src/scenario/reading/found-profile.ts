import { existsSync } from 'node:fs';
import type { SourceDocument } from '../../base/index.ts';
import type { LoadOptions } from '../loaded.ts';
import { type Fault, valueAt, within } from '../validation/faults.ts';
import type { EnvironmentLookup } from './environment.ts';
import { besideScenario, noSuchFile } from './named-file.ts';
import { type ReadProfile, readProfile } from './profile.ts';

export type FoundProfile = ReadProfile & {
  readonly file: string;
  readonly faults: readonly Fault[];
  readonly given: boolean;
};

/** Reads the profile: that of the option, otherwise the file that the scenario names. An inline profile is validated with the scenario. */
export async function profileFor(
  source: SourceDocument,
  scenario: unknown,
  options: LoadOptions,
  lookup: EnvironmentLookup,
): Promise<FoundProfile> {
  const { profileFile, profileFaults } = options;
  const named = valueAt(scenario, ['profile']);
  const readFrom = async (file: string) => ({ ...(await readProfile(file, lookup, options)), file, faults: [] });
  if (profileFile !== undefined) return { ...(await readFrom(profileFile)), given: true };
  if (typeof named !== 'string' || named === '') {
    const faults = within(['profile'], profileFaults?.(named) ?? []);
    return { file: source.file, problems: [], faults, environment: new Set(), given: named !== undefined };
  }
  const file = besideScenario(source.file, named);
  if (existsSync(file)) return { ...(await readFrom(file)), given: true };
  const faults = [noSuchFile(['profile'], file)];
  return { file, problems: [], faults, environment: new Set(), given: true };
}
