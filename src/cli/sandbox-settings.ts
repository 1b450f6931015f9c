import {
  type ConfigProblem,
  ConfigurationError,
  loadDocument,
  positionOf,
  type SourceDocument,
} from '../base/index.ts';
import { problemsIn, type SandboxSettings } from '../sandbox/index.ts';

/** One switch that was given. */
export interface GivenSwitch {
  /** As written: `--rate-algorithm`. */
  readonly name: string;
  /** Where it stands in the settings: `limits.rate.algorithm`. */
  readonly place: string;
  readonly value: unknown;
}

export interface SettingsSources {
  /** What holds where neither file nor switch says anything. */
  readonly defaults: SandboxSettings;
  /** YAML or JSON with the settings' own names. */
  readonly file?: string | undefined;
  /** They win over the file. */
  readonly switches: readonly GivenSwitch[];
  /** What the command line found wrong by itself. */
  readonly problems: readonly ConfigProblem[];
}

type Members = Record<string, unknown>;
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The settings of file and switches together.
 * @throws ConfigurationError with everything that is wrong at once: by line in the file, by name on the command line
 */
export function gatherSettings({ defaults, file, switches, problems }: SettingsSources): SandboxSettings {
  const source = file === undefined ? undefined : loadDocument(file);
  const written: unknown = source?.value ?? {};
  if (!isMembers(written)) {
    throw new ConfigurationError([
      ...problems,
      { ...inFile(source, [], 'value'), message: 'must be an object with settings' },
    ]);
  }
  const settings: Members = { ...defaults, ...structuredClone(written) };
  const found = [...problems];
  const put = switches.map((given) => ({ ...given, ...write(settings, given) }));
  for (const { name, problem } of put) if (problem !== undefined) found.push({ path: name, message: problem });
  for (const { path, atKey, message, hint } of problemsIn(settings)) {
    const place = path.map(String).join('.');
    const given = put.find((each) => place === each.place || place.startsWith(`${each.place}.`));
    const where = given ? { path: given.name } : inFile(source, path, atKey ? 'key' : 'value');
    found.push({ ...where, message, ...(hint !== undefined && { hint }) });
  }
  if (found.length > 0) throw new ConfigurationError(found);
  return settings as SandboxSettings;
}

function inFile(
  source: SourceDocument | undefined,
  path: readonly PropertyKey[],
  which: 'key' | 'value',
): Pick<ConfigProblem, 'file' | 'line' | 'column' | 'path'> {
  const place = path.map(String).join('.');
  if (!source) return { path: place };
  return { file: source.file, ...positionOf(source, path, which), path: place };
}

/**
 * Writes a switch's value at its place, and makes the objects on the way. A limit written as its number becomes an object,
 * and of a list of one, that one is meant.
 * @returns where it stands now, or what stands in the way
 */
function write(
  settings: Members,
  { place, value }: GivenSwitch,
): { readonly place: string; readonly problem?: string } {
  const path = place.split('.');
  let here = settings;
  for (let depth = 0; depth < path.length - 1; depth++) {
    const segment = path[depth] ?? '';
    let next = here[segment] ?? {};
    if (typeof next === 'number') next = { max: next };
    if (Array.isArray(next) && !/^\d+$/.test(path[depth + 1] ?? '')) {
      if (next.length !== 1) {
        return {
          place,
          problem: `cannot change one of the ${next.length} limits that the file stacks; change it there`,
        };
      }
      path.splice(depth + 1, 0, '0');
    }
    // Whatever else stands there is wrong by itself, and told as such.
    if (typeof next !== 'object' || next === null) return { place };
    here[segment] = next;
    here = next as Members;
  }
  here[path.at(-1) ?? ''] = value;
  return { place: path.join('.') };
}
