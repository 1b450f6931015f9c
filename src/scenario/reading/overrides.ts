import { type ConfigProblem, isRecord, parseDocument, type SourceDocument } from '../../base/index.ts';
import { type Path, pathText } from '../validation/faults.ts';

const SWITCH = '--set';
const HINT = `write for example ${SWITCH} load.rate=50/s or ${SWITCH} 'sandbox.defects=[O24]'`;

/** A path as messages show it: `phases[1].load.rate`. */
const PATH = /^[\w$-]+(?:\.[\w$-]+|\[\d+\])*$/;
const KEYS = /[\w$-]+/g;

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
      const path = pathOf(assignment);
      value = withValue(value, path, 0, readValue(assignment));
      overridden.push(path);
    } catch (error) {
      if (!(error instanceof Unplaced)) throw error;
      problems.push({ path: SWITCH, message: error.message, hint: HINT });
    }
  }
  return overridden.length === 0 ? source : { ...source, value, overridden };
}

/** Why a value has no place. The value itself is not quoted: it may be a secret, which belongs elsewhere. */
class Unplaced extends Error {}

function pathOf(assignment: string): Path {
  const written = assignment.slice(0, Math.max(0, assignment.indexOf('=')));
  if (!PATH.test(written)) throw new Unplaced(`${written === '' ? 'a value' : written} is not of the form PATH=VALUE`);
  return (written.match(KEYS) ?? []).map((key) => (/^\d+$/.test(key) ? Number(key) : key));
}

function readValue(assignment: string): unknown {
  const [path = '', text] = assignment.split(/=(.*)/s);
  try {
    return parseDocument(text ?? '', SWITCH).value;
  } catch {
    throw new Unplaced(`the value of ${path} is not YAML`);
  }
}

/** A copy with the value in its place. Members of objects may be new, entries of lists must be there. */
function withValue(within: unknown, path: Path, depth: number, value: unknown): unknown {
  const key = path[depth];
  if (key === undefined) return value;
  const next = (member: unknown) => withValue(member, path, depth + 1, value);
  const here = pathText(path.slice(0, depth + 1));
  if (Array.isArray(within)) {
    if (typeof key === 'number' && key < within.length) return within.with(key, next(within[key]));
    throw new Unplaced(`there is no ${here}: the list has ${within.length} entries, counted from 0`);
  }
  if (within !== undefined && !isRecord(within))
    throw new Unplaced(`there is no ${here}: ${pathText(path.slice(0, depth))} is no object in this scenario`);
  const name = String(key);
  return { ...within, [name]: next(within !== undefined && Object.hasOwn(within, name) ? within[name] : undefined) };
}
