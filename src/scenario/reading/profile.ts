import { type TargetProfile, TargetProfileSchema } from '../../api/index.ts';
import { type ConfigProblem, ConfigurationError, type SourceDocument } from '../../base/index.ts';
import type { LoadOptions } from '../loaded.ts';
import { type Fault, MOST_TOLD, type Path, problemIn } from '../validation/faults.ts';
import { secretFaults } from '../validation/secrets.ts';
import { parseShape } from '../validation/shape.ts';
import { type EnvironmentLookup, substituteEnvironment, withoutValues } from './environment.ts';
import { moreProblems } from './first-problems.ts';
import { readSource } from './source.ts';

export interface ReadProfile {
  /** Absent if there are problems. */
  readonly profile?: TargetProfile;
  readonly problems: readonly ConfigProblem[];
  /** Environment variables that the file mentions outside its credentials. */
  readonly environment: ReadonlySet<string>;
}

/** Credentials and gateway headers are resolved later, because the embedded sandbox does not need them. */
export const isSecretOfProfile = ([first, second]: Path) =>
  first === 'credentials' || (first === 'client' && second === 'headers');

/**
 * Reads a target profile and collects all its problems.
 * @param profileFaults finds further faults
 * @param variables what a module finds in `process.env` in addition
 * @throws SpillwayError SCENARIO_THREW if it is a module that throws
 */
export async function readProfile(
  file: string,
  lookup: EnvironmentLookup,
  { profileFaults = () => [], variables }: Pick<LoadOptions, 'profileFaults' | 'variables'> = {},
): Promise<ReadProfile> {
  try {
    const source = await readSource(file, 'profile', variables);
    // An empty file is a profile with every default.
    const filled = substituteEnvironment(source.value ?? {}, lookup, isSecretOfProfile);
    const parsed = parseShape(TargetProfileSchema, filled.value);
    const wrong = [...(parsed.ok ? [] : parsed.faults), ...profileFaults(filled.value)];
    const faults = [...filled.faults, ...withoutConsequences(wrong, filled.faults), ...secretFaults(source.value)];
    const problems = problemsOf(source, filled.value, faults);
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

/**
 * The first faults with their places, sorted by position in the file, and how many more there are; those without a position keep
 * their order. Values of variables are replaced by the text as written.
 * @param filled the document after its variables were replaced
 */
export function problemsOf(
  source: SourceDocument,
  filled: unknown,
  faults: readonly Fault[],
): readonly ConfigProblem[] {
  const problems = withoutValues(faults.slice(0, MOST_TOLD), source.value, filled)
    .map((fault) => problemIn(source, fault))
    .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  return [...problems, ...moreProblems(faults.length - MOST_TOLD, source.file)];
}

/** Drops faults at or below the path of a cause, such as a variable that is not set. */
export function withoutConsequences<T extends { readonly path: Path }>(
  faults: readonly T[],
  causes: readonly { readonly path: Path }[],
): readonly T[] {
  const within = (path: Path, outer: Path) => outer.every((key, index) => path[index] === key);
  return faults.filter((fault) => !causes.some((cause) => within(fault.path, cause.path)));
}
