import { readFileSync } from 'node:fs';
import type { Document, LineCounter, Node, Pair, YAMLMap } from 'yaml';
import { ConfigurationError, DEEPEST, TOO_DEEP, whyNotRead } from '../errors.ts';
import { utf8Of } from '../text/utf8.ts';
import { nearestBeside, shippedScenario } from './beside.ts';
import { nameOfKey, problemsIn } from './document-problems.ts';
import { yaml } from './yaml.ts';

/** The name of standard input as a file, also on systems that have no such file. */
export const STANDARD_INPUT = '/dev/stdin';

/** A position in a file; both numbers are 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A parsed YAML or JSON file with the position of each value. */
export interface SourceDocument {
  /** Path as the user gave it, for messages. */
  readonly file: string;
  /** Plain data: objects, arrays, strings, numbers, booleans, null. */
  readonly value: unknown;
  /** Absent for a TypeScript module, which has values but no positions. */
  readonly yaml?: { readonly document: Document; readonly lines: LineCounter };
  /** Paths of values that are not of the file but of the command line, from the outermost that the file lacks. Default none. */
  readonly overridden?: readonly (readonly PropertyKey[])[];
}

/**
 * Reads a YAML or JSON file (JSON is YAML). Merge keys are allowed, and aliases up to the library's bound on expansion.
 * @throws ConfigurationError with the positions of all syntax errors up to the first from which the parser cannot recover; or if
 *   the file cannot be read
 */
export function loadDocument(file: string): SourceDocument {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw noSuchFile(file);
    throw new ConfigurationError([{ file, path: '', ...whyNotRead(error, 'check the path') }]);
  }
  return parseDocument(utf8Of(bytes, file), file);
}

/** The error for a file that does not exist. */
export function noSuchFile(file: string): ConfigurationError {
  return new ConfigurationError([{ file, path: '', message: 'cannot be read: no such file', hint: instead(file) }]);
}

function instead(file: string): string {
  const shipped = shippedScenario(file);
  if (shipped !== undefined) return `the shipped one is ${shipped}`;
  const near = nearestBeside(file);
  return near === undefined ? 'check the path' : `did you mean ${near}?`;
}

/** As `loadDocument`, from text. @throws ConfigurationError */
export function parseDocument(text: string, file: string): SourceDocument {
  const { LineCounter, parseDocument } = yaml();
  const lines = new LineCounter();
  // `problemsIn` looks for duplicate keys: the library compares each key with all before it, minutes for 100,000.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false, merge: true });
  const problems = problemsIn(document, { text, file, lines });
  if (problems.length > 0) throw new ConfigurationError(problems);
  const source = { file, value: plainValueOf(document, file), yaml: { document, lines } };
  const deep = pathBelow(source.value, DEEPEST);
  if (deep) throw new ConfigurationError([{ file, ...positionOf(source, deep), path: '', ...TOO_DEEP }]);
  return source;
}

/** Path of the first list or map that more than so many others contain; aliases count as what they refer to. */
function pathBelow(value: unknown, levels: number): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels === 0) return [];
  for (const [name, member] of Object.entries(value)) {
    const below = pathBelow(member, levels - 1);
    if (below) return [name, ...below];
  }
  return undefined;
}

/** @throws ConfigurationError if the aliases expand beyond the library's bound, which it checks only here */
function plainValueOf(document: Document, file: string): unknown {
  try {
    return document.toJS() as unknown;
  } catch (error) {
    throw new ConfigurationError([{ file, path: '', message: `not valid YAML: ${(error as Error).message}` }]);
  }
}

/**
 * Position of the value at `path`; if there is no such value, that of its nearest existing parent.
 * With `key`, the position of the key instead of its value (for an unknown key).
 * @returns `undefined` if the document has no positions
 */
export function positionOf(
  source: SourceDocument,
  path: readonly PropertyKey[],
  which: 'key' | 'value' = 'value',
): Position | undefined {
  if (!source.yaml) return undefined;
  const { document, lines } = source.yaml;
  const offset =
    which === 'key' ? (keyOffset(document, path) ?? valueOffset(document, path)) : valueOffset(document, path);
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function valueOffset(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length >= 0; length--) {
    const range = nodeAt(document, path.slice(0, length))?.range;
    if (range) return range[0];
  }
  return 0;
}

function keyOffset(document: Document, path: readonly PropertyKey[]): number | undefined {
  const { isMap, isNode } = yaml();
  const parent = nodeAt(document, path.slice(0, -1));
  const key = isMap(parent) ? pairOf(parent, path.at(-1))?.key : undefined;
  return isNode(key) && key.range ? key.range[0] : undefined;
}

/** The library's `getIn` does not find keys that are numbers, booleans or null by their names in plain data. */
function nodeAt(document: Document, path: readonly PropertyKey[]): Node | undefined {
  const { isMap, isNode, isSeq } = yaml();
  let node: unknown = document.contents;
  for (const key of path) {
    if (isMap(node)) node = pairOf(node, key)?.value;
    else node = isSeq(node) ? node.items[Number(key)] : undefined;
  }
  return isNode(node) ? node : undefined;
}

const pairOf = (map: YAMLMap, name: PropertyKey | undefined): Pair | undefined =>
  map.items.find(({ key }) => yaml().isScalar(key) && nameOfKey(key.value) === String(name));
