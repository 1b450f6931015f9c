import { extname } from 'node:path';
import type { Document, ErrorCode, LineCounter, YAMLParseError } from 'yaml';
import { type ConfigProblem, TOO_DEEP } from '../errors.ts';
import { yaml } from './yaml.ts';

/** After these errors the parser continues correctly. After any other, most further errors are consequences of the first. */
const RECOVERABLE: ReadonlySet<ErrorCode> = new Set(['MULTIPLE_DOCS', 'TAB_AS_INDENT', 'BAD_DQ_ESCAPE']);

interface Source {
  readonly text: string;
  readonly file: string;
  readonly lines: LineCounter;
}

/** What is wrong with a document, in the order of the file. */
export function problemsIn(document: Document.Parsed, source: Source): readonly ConfigProblem[] {
  const fatal = document.errors.find(({ code }) => !RECOVERABLE.has(code));
  const others = [
    ...aliasProblems(document, source),
    ...keyProblems(document, source),
    ...(source.text.includes('__proto__') ? nameProblems(document, source) : []),
  ].filter(({ offset }) => fatal === undefined || offset < fatal.pos[0]);
  return [...syntaxProblems(document, source), ...others]
    .sort((a, b) => a.offset - b.offset)
    .map(({ problem }) => problem);
}

interface Placed {
  readonly offset: number;
  readonly problem: ConfigProblem;
}

type What = Pick<ConfigProblem, 'message' | 'hint'>;

function placed(offset: number, { file, lines }: Source, what: What): Placed {
  const { line, col } = lines.linePos(offset);
  return { offset, problem: { file, line, column: col, path: '', ...what } };
}

const notValid = ({ file }: Source, message: string) =>
  `not valid ${extname(file) === '.json' ? 'JSON' : 'YAML'}: ${message}`;

/** All errors up to the first from which the parser cannot recover; its hint gives the number of those after it. */
function syntaxProblems(document: Document.Parsed, source: Source): readonly Placed[] {
  const errors = [...document.errors].sort((a, b) => a.pos[0] - b.pos[0]);
  const fatal = errors.findIndex(({ code }) => !RECOVERABLE.has(code));
  const reported = fatal < 0 ? errors : errors.slice(0, fatal + 1);
  const more = errors.length - reported.length;
  return reported.map((error, index) => {
    const what = explained(error, source);
    const isFirst = index === fatal && more > 0;
    const hint = isFirst ? `fix this first: it may have caused the ${more} after it` : undefined;
    return placed(error.pos[0], source, hint === undefined ? what : { hint, ...what });
  });
}

function explained({ code, message }: YAMLParseError, source: Source): What {
  // The library's recursion ran out of stack.
  if (code === 'RESOURCE_EXHAUSTION') return TOO_DEEP;
  return { message: notValid(source, code === 'MULTIPLE_DOCS' ? 'a second YAML document begins here' : message) };
}

/** Keys that stand in the same map before, and those that are no scalars, as of the map within `{{name}}`. */
function keyProblems(document: Document, source: Source): readonly Placed[] {
  const { isCollection, isScalar, visit } = yaml();
  const problems: Placed[] = [];
  visit(document, {
    Map(_, { items }) {
      const first = new Map<unknown, number>();
      for (const { key } of items) {
        if (isCollection(key) && key.range) problems.push(placed(key.range[0], source, NO_KEY));
        if (!isScalar(key) || !key.range) continue;
        const [offset] = key.range;
        const name = nameOfKey(key.value);
        const earlier = first.get(name);
        if (earlier === undefined) first.set(name, offset);
        else problems.push(placed(offset, source, duplicate(source, String(name), earlier)));
      }
    },
  });
  return problems;
}

const NO_KEY: What = { message: 'a list or a map cannot be a key', hint: 'put it in quotes if it is text' };

/** What a key is called in plain data. A merge key is a symbol, each another. */
export const nameOfKey = (key: unknown): string | symbol => (typeof key === 'symbol' ? key : String(key ?? ''));

function duplicate(source: Source, key: string, earlier: number): What {
  const { line, col } = source.lines.linePos(earlier);
  const message = notValid(source, `the key "${key}" is already defined at ${line}:${col}`);
  return { message, hint: 'remove one of them, or rename it' };
}

/** Aliases without an anchor, and aliases within the value of their own anchor, which is endless to traverse. */
function aliasProblems(document: Document, source: Source): readonly Placed[] {
  const problems: Placed[] = [];
  yaml().visit(document, {
    Alias(_, alias, around) {
      const target = alias.resolve(document);
      if (target !== undefined && !around.includes(target)) return;
      const message =
        target === undefined
          ? `Unresolved alias (the anchor must be set before the alias): ${alias.source}`
          : 'an alias refers to a value that contains it';
      problems.push(placed(alias.range?.[0] ?? 0, source, { message: notValid(source, message) }));
    },
  });
  return problems;
}

/** Keys that JavaScript takes for the prototype of an object: what reads its members passes over them without a word. */
function nameProblems(document: Document, source: Source): readonly Placed[] {
  const { isScalar, visit } = yaml();
  const problems: Placed[] = [];
  visit(document, {
    Pair(_, { key }) {
      if (!isScalar(key) || key.value !== '__proto__') return;
      const what = { message: '"__proto__" cannot be a name', hint: 'choose another' };
      problems.push(placed(key.range?.[0] ?? 0, source, what));
    },
  });
  return problems;
}
