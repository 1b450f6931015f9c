import { sandboxProfile } from '../api/index.ts';
import { type ConfigProblem, ConfigurationError, isRecord, type SourceDocument, uniqueOf } from '../base/index.ts';
import { uniqueGates } from '../metrics/index.ts';
import { applicationsOf } from './credentials.ts';
import { placedGates } from './gate-places.ts';
import type { LoadedScenario, LoadOptions } from './loaded.ts';
import { type ReadTables, readTables } from './reading/data-tables.ts';
import {
  type EnvironmentLookup,
  environmentLookup,
  environmentNamesIn,
  substituteEnvironment,
} from './reading/environment.ts';
import { type FoundProfile, profileFor } from './reading/found-profile.ts';
import { unusedOverrides, withOverrides } from './reading/overrides.ts';
import { isSecretOfProfile, problemsOf, readProfile, withoutConsequences } from './reading/profile.ts';
import { readRecordings, withRecordings } from './reading/recordings.ts';
import { readSource } from './reading/source.ts';
import { gatesNamed } from './schema/gates.ts';
import { type Scenario, ScenarioSchema } from './schema/schema.ts';
import { ceilingFaults } from './validation/ceilings.ts';
import { type Fault, namesOf, type Path, valueAt, within } from './validation/faults.ts';
import { readGates, tagsOf } from './validation/gates.ts';
import { gracefulStopFaults } from './validation/graceful-stop.ts';
import { idleCapFaults } from './validation/idle-members.ts';
import { journeyFaults, type ScenarioNames } from './validation/journeys.ts';
import { onlyUsersFaults } from './validation/only-users.ts';
import { referenceFaults } from './validation/references.ts';
import { roundedVariableFaults } from './validation/rounded-numbers.ts';
import { secretFaults } from './validation/secrets.ts';
import { parseShape } from './validation/shape.ts';
import { slotFaults } from './validation/slots.ts';
import { strayVariables } from './validation/stray-variables.ts';

/**
 * Loads and validates a scenario (YAML, JSON, TypeScript or JavaScript), its profile and its data.
 * @throws ConfigurationError (exit 104) with every problem of all files
 * @throws SpillwayError SCENARIO_THREW (exit 107) if a TypeScript scenario throws
 */
export async function loadScenario(file: string, options: LoadOptions): Promise<LoadedScenario> {
  const lookup = environmentLookup(options.env, options.variables);
  const problems: ConfigProblem[] = seedProblems(options.seed);
  const source = await sourceOrProblems(file, options, problems);
  if (!source) throw new ConfigurationError([...problems, ...(await problemsOfOptions(options, lookup))]);
  const filled = substituteEnvironment(source.value, lookup, isFilledLater);
  const shape = parseShape(ScenarioSchema, filled.value);
  const profile = await profileFor(source, filled.value, options, lookup);
  const data = readTables(source, filled.value);
  const replays = readRecordings(source, filled.value);
  const written = readGates(filled.value);
  const faults = [
    ...faultsOfText(filled.faults, shape.ok ? [] : shape.faults),
    ...faultsBeyondShape(filled.value, namesKnown(filled.value, lookup, options, data.columns)),
    ...written.faults,
    ...within(['sandbox'], options.sandboxFaults?.(valueAt(filled.value, ['sandbox'])) ?? []),
    ...within(['profile'], secretFaults(valueAt(source.value, ['profile']))),
    ...profile.faults,
    ...data.faults,
    ...replays.faults,
  ];
  const environment = environmentNames(source.value, filled.used, profile.environment);
  const named = gatesNamed(options.gates ?? [], tagsOf(filled.value));
  const all = [
    ...problems,
    ...unusedOverrides(source, options.profileFile),
    ...problemsOf(source, filled.value, faults),
    ...profile.problems,
    ...data.problems,
    ...replays.problems,
    ...strayVariables(options.variables ?? {}, filled.value, environment),
    ...named.problems,
  ];
  if (!shape.ok || all.length > 0) throw new ConfigurationError(uniqueOf(all));
  const gatePlaces = placedGates(source, written.gates, { named: named.gates, words: options.gates ?? [] });
  const replayed = withRecordings(shape.value, replays);
  const assembled = assemble(file, replayed, profile, data.tables, { lookup, environment, options });
  return { ...assembled, gates: uniqueGates([...gatePlaces.keys()]), gatePlaces };
}

/** Faults of variables and of the shape, without those that only follow from one another. */
const faultsOfText = (ofVariables: readonly Fault[], ofShape: readonly Fault[]): readonly Fault[] => [
  // Below a mistyped key, such as `jurneys`, nobody knows what is filled later.
  ...withoutConsequences(
    ofVariables,
    ofShape.filter(({ atKey }) => atKey),
  ),
  ...withoutConsequences(ofShape, ofVariables),
];

/** Whether variables at this path are not replaced on loading: texts of steps are filled when sent, credentials when needed, names and descriptions never. */
function isFilledLater(path: Path): boolean {
  if (path.length === 1)
    return ['journeys', 'applications', 'description', 'name', '$schema'].includes(String(path[0]));
  return path[0] === 'profile' && isSecretOfProfile(path.slice(1));
}

function seedProblems(seed: number | undefined): ConfigProblem[] {
  if (seed === undefined || (Number.isInteger(seed) && seed >= 0 && seed <= 0xffff_ffff)) return [];
  const message = Number.isNaN(seed) ? 'is not a number' : `${seed} is not a seed`;
  return [{ path: '--seed', message, hint: 'give a whole number from 0 to 4294967295' }];
}

async function sourceOrProblems(
  file: string,
  { variables, overrides = [] }: LoadOptions,
  problems: ConfigProblem[],
): Promise<SourceDocument | undefined> {
  try {
    return withOverrides(await readSource(file, 'scenario', variables), overrides, problems);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    for (const problem of error.problems) problems.push(problem);
    return undefined;
  }
}

/** Problems of the files and gates that the options name; found without the scenario. */
async function problemsOfOptions(options: LoadOptions, lookup: EnvironmentLookup): Promise<readonly ConfigProblem[]> {
  const { profileFile, gates = [] } = options;
  const profile = profileFile === undefined ? undefined : await readProfile(profileFile, lookup, options);
  return [...(profile?.problems ?? []), ...gatesNamed(gates).problems];
}

function faultsBeyondShape(scenario: unknown, names: ScenarioNames): readonly Fault[] {
  return [
    ...referenceFaults(scenario),
    ...journeyFaults(valueAt(scenario, ['journeys']), names),
    ...ceilingFaults(scenario),
    ...roundedVariableFaults(scenario),
    ...(isRecord(scenario)
      ? [
          ...slotFaults(scenario),
          ...idleCapFaults(scenario),
          ...gracefulStopFaults(scenario),
          ...onlyUsersFaults(scenario),
        ]
      : []),
  ];
}

function namesKnown(
  scenario: unknown,
  lookup: EnvironmentLookup,
  options: LoadOptions,
  tables: ReadTables['columns'],
): ScenarioNames {
  const declared = namesOf(valueAt(scenario, ['variables']));
  return {
    environment: lookup,
    variables: [...new Set([...declared, ...Object.keys(options.variables ?? {})])],
    tables,
  };
}

/** Names of all environment variables that are mentioned anywhere. */
function environmentNames(scenario: unknown, ...used: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set([...environmentNamesIn(scenario), ...used.flatMap((names) => [...names])]);
}

interface Surroundings {
  readonly lookup: EnvironmentLookup;
  readonly environment: ReadonlySet<string>;
  readonly options: LoadOptions;
}

function assemble(
  file: string,
  parsed: Scenario,
  found: FoundProfile,
  tables: ReadTables['tables'],
  around: Surroundings,
): Omit<LoadedScenario, 'gates' | 'gatePlaces'> {
  const { options, lookup } = around;
  const inline = typeof parsed.profile === 'object' ? parsed.profile : undefined;
  const profile = found.profile ?? inline ?? sandboxProfile();
  const scenario: Scenario = {
    ...parsed,
    seed: options.seed ?? parsed.seed,
    variables: { ...parsed.variables, ...options.variables },
  };
  const applications = applicationsOf(scenario, profile);
  const valuesOf = (names: Iterable<string>): Record<string, string> =>
    Object.fromEntries(
      [...names].flatMap((name) => {
        const value = lookup(name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const data = Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [name, { rows, order: parsed.data[name]?.order ?? 'sequential' }]),
  );
  const env = valuesOf(environmentNamesIn(scenario.journeys));
  const secrets = valuesOf([
    ...around.environment,
    ...environmentNamesIn(applications),
    ...environmentNamesIn(profile.credentials),
    ...environmentNamesIn(profile.client.headers),
  ]);
  const { file: profileFile, given } = found;
  return { file, scenario, profile, profileFile, profileIsDefault: !given, data, env, secrets, applications };
}
