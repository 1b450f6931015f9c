import { type ConfigProblem, isRecord, parseDocument, type SourceDocument } from '../../base/index.ts';
import { type Path, pathText } from '../validation/faults.ts';

const SWITCH = '--set';
const HINT = `write for example ${SWITCH} load.rate=50/s, ${SWITCH} 'sandbox.defects=[O24]' or ${SWITCH} 'gates["limit.rate"]=held'`;

/** A key of a path as messages show it: `phases`, `[1]`, `.load`, or in quotes if it is not a plain word: `["limit.rate"]`. */
const KEY = /(?:^|\.)([\w$-]+)|\[(?:(\d+)|("(?:[^"\\]|\\.)*"))\]/y;

/**
 * Puts values into a scenario as if they were written there.
 * @param assignments each `PATH=VALUE`, the value as in YAML; a later one may change what an earlier one has put
 * @param problems gets one for each assignment that cannot be read or has no place
 */
export function withOverrides(
  source: SourceDocument,
  assignments: readonly string[],
  problems: ConfigProblem[],
): SourceDocument {
  let { value } = source;
  const overridden: Path[] = [];
  for (const assignment of assignments) {
    try {
      const { path, text } = parted(assignment);
      const changed = withValue(value, path, 0, readValue(path, text));
      overridden.push(newOf(value, path));
      value = changed;
    } catch (error) {
      if (!(error instanceof Unplaced)) throw error;
      problems.push({ path: SWITCH, message: error.message, hint: HINT });
    }
  }
  return overridden.length === 0 ? source : { ...source, value, overridden };
}

/** Values that were put into the scenario's profile, although another is used. */
export const unusedOverrides = ({ overridden = [] }: SourceDocument, profileFile?: string): readonly ConfigProblem[] =>
  profileFile === undefined
    ? []
    : overridden
        .filter(([first]) => first === 'profile')
        .map((path) => ({
          path: `${SWITCH} ${pathText(path)}`,
          message: "has no effect: --profile takes the place of the scenario's profile",
          hint: 'write the value into that file, or leave one of the two out',
        }));

/** Why a value has no place. The value itself is not quoted: it may be a secret, which belongs elsewhere. */
class Unplaced extends Error {}

function parted(assignment: string): { readonly path: Path; readonly text: string } {
  const path: PropertyKey[] = [];
  let end = 0;
  for (let found = keyAt(assignment, 0); found; found = keyAt(assignment, end)) {
    const [all, word, index, quoted] = found;
    path.push(index === undefined ? (word ?? nameIn(quoted)) : Number(index));
    end += all.length;
  }
  if (path.length > 0 && assignment[end] === '=') return { path, text: assignment.slice(end + 1) };
  const written = assignment.slice(0, Math.max(0, assignment.indexOf('=')));
  throw new Unplaced(`${written === '' ? 'a value' : written} is not of the form PATH=VALUE`);
}

function keyAt(text: string, at: number): RegExpExecArray | null {
  KEY.lastIndex = at;
  return KEY.exec(text);
}

function nameIn(quoted = '""'): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw new Unplaced(`${quoted} is no text in quotes`);
  }
}

function readValue(path: Path, text: string): unknown {
  try {
    return parseDocument(text, SWITCH).value;
  } catch {
    throw new Unplaced(`the value of ${pathText(path)} is not YAML`);
  }
}

/** A copy with the value in its place. Members of objects may be new, entries of lists must be there. */
function withValue(within: unknown, path: Path, depth: number, value: unknown): unknown {
  const key = path[depth];
  if (key === undefined) return value;
  const next = (member: unknown) => withValue(member, path, depth + 1, value);
  const without = (why: string) => new Unplaced(`there is no ${pathText(path.slice(0, depth + 1))}: ${why}`);
  if (Array.isArray(within)) {
    // `phases.1` is understood, too.
    const index = /^\d+$/.test(String(key)) ? Number(key) : within.length;
    if (index < within.length) return within.with(index, next(within[index]));
    throw without(`the list has ${within.length === 1 ? 'one entry' : `${within.length} entries`}, counted from 0`);
  }
  const parent = depth === 0 ? 'the scenario' : pathText(path.slice(0, depth));
  if (typeof key === 'number') throw without(`${parent} is no list${depth === 0 ? '' : ' in this scenario'}`);
  if (parent === 'profile' && typeof within === 'string')
    throw without('profile names a file, which --set does not change; name another one with --profile');
  if (within !== undefined && !isRecord(within))
    throw without(`${parent} is no object${depth === 0 ? '' : ' in this scenario'}`);
  const name = String(key);
  // As in files: what reads members passes over one of this name without a word.
  if (name === '__proto__') throw new Unplaced(`"${name}" cannot be a name`);
  return { ...within, [name]: next(within !== undefined && Object.hasOwn(within, name) ? within[name] : undefined) };
}

/** The outermost part of a path that is not in the value: all that was not written there is of the command line. */
function newOf(value: unknown, path: Path): Path {
  let within = value;
  for (const [depth, key] of path.entries()) {
    if (typeof within !== 'object' || within === null || !Object.hasOwn(within, key)) return path.slice(0, depth + 1);
    within = (within as Record<PropertyKey, unknown>)[key];
  }
  return path;
}
