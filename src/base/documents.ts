import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import type * as Yaml from 'yaml';
import type { Document, ErrorCode, LineCounter, Node, YAMLParseError } from 'yaml';
import { nearestBeside } from './beside.ts';
import { type ConfigProblem, ConfigurationError, TOO_DEEP } from './errors.ts';
import { utf8Of } from './utf8.ts';

/** Loaded on first use: every room imports base/, few commands read YAML, and loading it takes as long as starting Node. */
const yaml = () => createRequire(import.meta.url)('yaml') as typeof Yaml;

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
    const message = `cannot be read: ${(error as Error).message}`;
    throw new ConfigurationError([{ file, path: '', message, hint: 'check the path' }]);
  }
  return parseDocument(utf8Of(bytes, file), file);
}

/** The error for a file that does not exist. */
export function noSuchFile(file: string): ConfigurationError {
  const near = nearestBeside(file);
  const hint = near === undefined ? 'check the path' : `did you mean ${near}?`;
  return new ConfigurationError([{ file, path: '', message: 'cannot be read: no such file', hint }]);
}

/** As `loadDocument`, from text. @throws ConfigurationError */
export function parseDocument(text: string, file: string): SourceDocument {
  const { LineCounter, parseDocument } = yaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true, merge: true });
  const fatal = document.errors.find(({ code }) => !RECOVERABLE.has(code));
  const problems = [
    ...syntaxProblems(document, file, lines),
    ...[
      ...aliasProblems(document, file, lines),
      ...(text.includes('__proto__') ? nameProblems(document, file, lines) : []),
    ].filter(({ offset }) => fatal === undefined || offset < fatal.pos[0]),
  ].sort((a, b) => a.offset - b.offset);
  if (problems.length > 0) throw new ConfigurationError(problems.map(({ problem }) => problem));
  return { file, value: plainValueOf(document, file), yaml: { document, lines } };
}

/** After these errors the parser continues correctly. After any other, most further errors are consequences of the first. */
const RECOVERABLE: ReadonlySet<ErrorCode> = new Set([
  'DUPLICATE_KEY',
  'MULTIPLE_DOCS',
  'TAB_AS_INDENT',
  'BAD_DQ_ESCAPE',
]);

interface Placed {
  readonly offset: number;
  readonly problem: ConfigProblem;
}

/** All errors up to the first from which the parser cannot recover; its hint gives the number of those after it. */
function syntaxProblems(document: Document.Parsed, file: string, lines: LineCounter): readonly Placed[] {
  const errors = [...document.errors].sort((a, b) => a.pos[0] - b.pos[0]);
  const kind = extname(file) === '.json' ? 'JSON' : 'YAML';
  const fatal = errors.findIndex(({ code }) => !RECOVERABLE.has(code));
  const reported = fatal < 0 ? errors : errors.slice(0, fatal + 1);
  const more = errors.length - reported.length;
  return reported.map((error, index) => {
    const { line, col } = lines.linePos(error.pos[0]);
    const { message, hint } = explained(error, document, lines);
    const advice =
      hint ?? (index === fatal && more > 0 ? `fix this first: it may have caused the ${more} after it` : undefined);
    const what = error.code === 'RESOURCE_EXHAUSTION' ? message : `not valid ${kind}: ${message}`;
    const problem = { file, line, column: col, path: '', message: what };
    return { offset: error.pos[0], problem: advice === undefined ? problem : { ...problem, hint: advice } };
  });
}

function explained(
  { code, message, pos }: YAMLParseError,
  document: Document.Parsed,
  lines: LineCounter,
): Pick<ConfigProblem, 'message' | 'hint'> {
  if (code === 'MULTIPLE_DOCS') return { message: 'a second YAML document begins here' };
  // The library's recursion ran out of stack.
  if (code === 'RESOURCE_EXHAUSTION') return TOO_DEEP;
  const earlier = code === 'DUPLICATE_KEY' ? firstOfKey(document, pos[0]) : undefined;
  if (earlier === undefined) return { message };
  const { line, col } = lines.linePos(earlier.offset);
  return {
    message: `the key "${earlier.key}" is already defined at ${line}:${col}`,
    hint: 'remove one of them, or rename it',
  };
}

/** The key at an offset, and the offset of its first occurrence in the same map. */
function firstOfKey(document: Document.Parsed, offset: number): { key: string; offset: number } | undefined {
  const { isScalar, visit } = yaml();
  let found: { key: string; offset: number } | undefined;
  visit(document, {
    Map(_, { items }) {
      const keys = items.flatMap(({ key }) => (isScalar(key) && key.range ? [{ ...key, at: key.range[0] }] : []));
      const here = keys.find(({ at }) => at === offset);
      const first = here && keys.find(({ value }) => value === here.value);
      if (!first) return undefined;
      found = { key: String(first.value), offset: first.at };
      return visit.BREAK;
    },
  });
  return found;
}

/** Aliases without an anchor, and aliases within the value of their own anchor, which is endless to traverse. */
function aliasProblems(document: Document, file: string, lines: LineCounter): readonly Placed[] {
  const problems: Placed[] = [];
  yaml().visit(document, {
    Alias(_, alias, around) {
      const target = alias.resolve(document);
      if (target !== undefined && !around.includes(target)) return;
      const offset = alias.range?.[0] ?? 0;
      const { line, col } = lines.linePos(offset);
      const message =
        target === undefined
          ? `Unresolved alias (the anchor must be set before the alias): ${alias.source}`
          : 'an alias refers to a value that contains it';
      problems.push({ offset, problem: { file, line, column: col, path: '', message: `not valid YAML: ${message}` } });
    },
  });
  return problems;
}

/** Keys that JavaScript takes for the prototype of an object: what reads its members passes over them without a word. */
function nameProblems(document: Document, file: string, lines: LineCounter): readonly Placed[] {
  const { isScalar, visit } = yaml();
  const problems: Placed[] = [];
  visit(document, {
    Pair(_, { key }) {
      if (!isScalar(key) || key.value !== '__proto__') return;
      const offset = key.range?.[0] ?? 0;
      const { line, col } = lines.linePos(offset);
      const message = '"__proto__" cannot be a name';
      problems.push({ offset, problem: { file, line, column: col, path: '', message, hint: 'choose another' } });
    },
  });
  return problems;
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
  const { isNode } = yaml();
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

function keyOffset(document: Document, path: readonly PropertyKey[]): number | undefined {
  const { isMap, isNode, isPair } = yaml();
  const last = path.at(-1);
  const parent = path.length <= 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!isMap(parent)) return undefined;
  const pair = parent.items.find(
    (item) => isPair(item) && String((item.key as Node & { value?: unknown }).value) === String(last),
  );
  const key = pair?.key;
  return isNode(key) && key.range ? key.range[0] : undefined;
}
