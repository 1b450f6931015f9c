import { type TargetProfile, TargetProfileSchema } from '../../api/index.ts';
import { type ConfigProblem, ConfigurationError } from '../../base/index.ts';
import type { ProfileFaults } from '../loaded.ts';
import { type Path, problemIn } from '../validation/faults.ts';
import { secretFaults } from '../validation/secrets.ts';
import { parseShape } from '../validation/shape.ts';
import { type EnvironmentLookup, substituteEnvironment, withoutValues } from './environment.ts';
import { readSource } from './source.ts';

export interface ReadProfile {
  /** Absent when there are problems. */
  readonly profile?: TargetProfile;
  readonly problems: readonly ConfigProblem[];
  /** Environment variables that the file names outside its credentials. */
  readonly environment: ReadonlySet<string>;
}

/** Credentials and a gateway's headers stay references: they are needed for a target that is not the embedded sandbox only. */
export const isSecretOfProfile = (path: Path) =>
  path.length === 1 ? path[0] === 'credentials' : path.length === 2 && path[0] === 'client' && path[1] === 'headers';

/**
 * Reads a target profile, with every problem in it.
 * @param beyondShape what else may be wrong with it
 * @throws SpillwayError SCENARIO_THREW when it is a module that throws
 */
export async function readProfile(
  file: string,
  lookup: EnvironmentLookup,
  beyondShape: ProfileFaults = () => [],
): Promise<ReadProfile> {
  try {
    const source = await readSource(file);
    // An empty file is an empty profile: every default.
    const filled = substituteEnvironment(source.value ?? {}, lookup, isSecretOfProfile);
    const parsed = parseShape(TargetProfileSchema, filled.value);
    const wrong = [...(parsed.ok ? [] : parsed.faults), ...beyondShape(filled.value)];
    const faults = [...filled.faults, ...withoutConsequences(wrong, filled.faults), ...secretFaults(source.value)];
    const problems = inOrder(
      withoutValues(faults, source.value, filled.value).map((fault) => problemIn(source, fault)),
    );
    return {
      ...(parsed.ok && problems.length === 0 ? { profile: parsed.value } : {}),
      problems,
      environment: filled.used,
    };
  } catch (error) {
    if (error instanceof ConfigurationError) return { problems: error.problems, environment: new Set() };
    throw error;
  }
}

/** By place in the file; where there are no places, as they were found. */
export function inOrder(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** Leaves out what is wrong only because a variable was not set. */
export function withoutConsequences<T extends { readonly path: Path }>(
  faults: readonly T[],
  causes: readonly { readonly path: Path }[],
): readonly T[] {
  const within = (path: Path, outer: Path) => outer.every((key, index) => path[index] === key);
  return faults.filter((fault) => !causes.some((cause) => within(fault.path, cause.path)));
}
