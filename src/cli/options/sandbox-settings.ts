import {
  type ConfigProblem,
  ConfigurationError,
  isRecord,
  loadDocument,
  positionOf,
  type SourceDocument,
} from '../../base/index.ts';
import { problemsIn, type SandboxSettings } from '../../sandbox/index.ts';

/** A switch with its value. */
export interface GivenSwitch {
  /** As written: `--rate-algorithm`. */
  readonly name: string;
  /** Its path in the settings: `limits.rate.algorithm`. */
  readonly place: string;
  readonly value: unknown;
}

export interface SettingsSources {
  /** Values used if neither file nor switch gives one. */
  readonly defaults: SandboxSettings;
  /** YAML or JSON file with settings. */
  readonly file?: string | undefined;
  /** They override the file. */
  readonly switches: readonly GivenSwitch[];
  /** Problems already found on the command line. */
  readonly problems: readonly ConfigProblem[];
}

type Members = Record<string, unknown>;

/**
 * Merges the settings of file and switches.
 * @throws ConfigurationError with all problems: by line in the file, by name of the switch on the command line
 */
export function gatherSettings({ defaults, file, switches, problems }: SettingsSources): SandboxSettings {
  const { source, unreadable } = documentOf(file);
  const written: unknown = source?.value ?? {};
  const found = [...problems, ...unreadable];
  if (!isRecord(written)) found.push({ ...inFile(source, [], 'value'), message: 'must be an object with settings' });
  const settings: Members = { ...defaults, ...(isRecord(written) && structuredClone(written)) };
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

/** Why a file cannot be read is told together with what is wrong with the switches. */
function documentOf(file: string | undefined): {
  readonly source?: SourceDocument;
  readonly unreadable: readonly ConfigProblem[];
} {
  if (file === undefined) return { unreadable: [] };
  try {
    return { source: loadDocument(file), unreadable: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { unreadable: error.problems };
  }
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
 * Writes the value of a switch at its path and creates objects as needed. A limit written as a number becomes an object; in a list
 * of one limit, that limit is changed, and the maximum makes one in an empty list, which means none.
 * @returns the actual path, or why the value cannot be written
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
    if (path[0] === 'limits' && depth === 1 && typeof next === 'number') next = { max: next };
    if (Array.isArray(next) && !/^\d+$/.test(path[depth + 1] ?? '')) {
      // Of no limit, the file leaves out what it would be; its maximum is enough for one.
      if (next.length === 0 && !place.endsWith('.max'))
        return { place, problem: 'changes a limit that the file leaves out by an empty list; give its maximum, too' };
      if (next.length > 1) {
        return {
          place,
          problem: `cannot change one of the ${next.length} limits that the file stacks; change it there`,
        };
      }
      path.splice(depth + 1, 0, '0');
    }
    // Any other value is invalid and reported by the schema.
    if (typeof next !== 'object' || next === null) return { place };
    here[segment] = next;
    here = next as Members;
  }
  here[path.at(-1) ?? ''] = value;
  return { place: path.join('.') };
}
