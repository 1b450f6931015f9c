import { type ConfigProblem, isRecord, nearest, positionOf, type SourceDocument } from '../../base/index.ts';

/** A path in a document, from its root. */
export type Path = readonly PropertyKey[];

/** A fault of a value, without its file. */
export interface Fault {
  readonly path: Path;
  /** What is wrong, without a full stop. */
  readonly message: string;
  /** What to write instead. */
  readonly hint?: string;
  /** Whether the position is that of the key rather than its value. Default false. */
  readonly atKey?: boolean;
  /** Whether the hint lists what is allowed for want of a better one. Default false. */
  readonly isVague?: boolean;
}

/** More faults of a document are counted, not told: nobody reads them, and finding their places takes time. */
export const MOST_TOLD = 100;

/** Faults of the value at a path, whose own paths begin at it. */
export const within = (path: Path, faults: readonly Fault[]): readonly Fault[] =>
  faults.map((fault) => ({ ...fault, path: [...path, ...fault.path] }));

/** A fault with its file, line and column. */
export function problemIn(source: SourceDocument, fault: Fault): ConfigProblem {
  const { message, hint } = fault;
  if (isOverridden(source, fault))
    return { path: `--set ${pathText(fault.path)}`, message, ...(hint !== undefined && { hint }) };
  const position = positionOf(source, fault.path, fault.atKey ? 'key' : 'value');
  return {
    file: source.file,
    ...(position === undefined ? {} : position),
    path: pathText(fault.path),
    message,
    ...(hint !== undefined && { hint }),
  };
}

const contains = (outer: Path, path: Path): boolean => outer.every((key, index) => String(key) === String(path[index]));

/** Whether the fault lies in a value of the command line. */
const isOverridden = ({ overridden = [] }: SourceDocument, { path }: Fault): boolean =>
  overridden.some((one) => contains(one, path));

/** `journeys.ask.steps[2].sendMessage`. A key that is not a plain word is quoted in brackets: `body["messages.0.role"]`. */
export function pathText(path: Path): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      const name = String(key);
      if (!/^[A-Za-z0-9_$-]+$/.test(name)) return `[${JSON.stringify(name)}]`;
      return index === 0 ? name : `.${name}`;
    })
    .join('');
}

/** `did you mean stop?` if a candidate is similar; otherwise a list of all. */
export function suggestion(word: string, candidates: readonly string[], listed = 'write one of'): string {
  const near = nearest(word, candidates);
  return near === undefined ? `${listed} ${candidates.join(', ')}` : `did you mean ${near}?`;
}

/** The entries of a record; empty for any other value. */
export const membersOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isRecord(value) ? Object.entries(value) : [];
export const namesOf = (value: unknown): readonly string[] => membersOf(value).map(([name]) => name);
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The value at a path; undefined if there is none. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

/** Labels of a scenario's applications. The first is the default of users. */
export function labelsOf(scenario: unknown): readonly string[] {
  const applications = valueAt(scenario, ['applications']);
  return applications === undefined ? ['a1'] : namesOf(applications);
}
