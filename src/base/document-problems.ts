import { extname } from 'node:path';
import type { Document, ErrorCode, LineCounter, YAMLParseError } from 'yaml';
import { type ConfigProblem, TOO_DEEP } from './errors.ts';
import { yaml } from './yaml.ts';

/** After these errors the parser continues correctly. After any other, most further errors are consequences of the first. */
const RECOVERABLE: ReadonlySet<ErrorCode> = new Set([
  'DUPLICATE_KEY',
  'MULTIPLE_DOCS',
  'TAB_AS_INDENT',
  'BAD_DQ_ESCAPE',
]);

interface Source {
  readonly text: string;
  readonly file: string;
  readonly lines: LineCounter;
}

/** What is wrong with a document, in the order of the file. */
export function problemsIn(document: Document.Parsed, { text, file, lines }: Source): readonly ConfigProblem[] {
  const fatal = document.errors.find(({ code }) => !RECOVERABLE.has(code));
  const others = [
    ...aliasProblems(document, file, lines),
    ...(text.includes('__proto__') ? nameProblems(document, file, lines) : []),
  ].filter(({ offset }) => fatal === undefined || offset < fatal.pos[0]);
  return [...syntaxProblems(document, file, lines), ...others]
    .sort((a, b) => a.offset - b.offset)
    .map(({ problem }) => problem);
}

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
