import { nearest } from '../../base/index.ts';
import { missingEnvironment } from '../reading/environment.ts';
import { momentNames, splitName } from '../template.ts';
import { type Fault, suggestion } from './faults.ts';

/** The names that the texts of a step may use. */
export interface KnownNames {
  readonly environment: (name: string) => string | undefined;
  readonly variables: readonly string[];
  /** Columns by name of the data. Undefined columns: the file could not be read, so its names are not checked. */
  readonly tables: ReadonlyMap<string, readonly string[] | undefined>;
  /** Names captured by an earlier step. */
  readonly captured: ReadonlySet<string>;
  /** Names captured by any step of the journey. */
  readonly capturedEver: ReadonlySet<string>;
  readonly sent: boolean;
  readonly followed: boolean;
  readonly inRepeat: boolean;
  readonly inBurst: boolean;
}

const groups = ['env', 'vars', 'data', 'user'];
/** Names that a capture cannot take. */
export const reservedNames: readonly string[] = [...groups, ...momentNames];

type NameFault = Pick<Fault, 'message' | 'hint'>;

/** Why a name has no value here; undefined if, as far as can be known on loading, it will have one. */
export function nameFault(name: string, known: KnownNames): NameFault | undefined {
  const { group, member, column } = splitName(name);
  if (group === 'env' && member !== undefined) return environmentFault(name, member, column, known);
  if (group === 'vars' && member !== undefined) return variableFault(name, known);
  if (group === 'data' && member !== undefined) return dataFault(name, member, column, known);
  if (group === 'user' && member !== undefined) {
    return ['user.id', 'user.index'].includes(name)
      ? undefined
      : { message: `there is no name \${${name}}`, hint: suggestion(name, ['user.id', 'user.index']) };
  }
  if (momentNames.includes(name)) return momentFault(name, known);
  return known.captured.has(name) ? undefined : unknownFault(name, known);
}

function environmentFault(
  name: string,
  variable: string,
  rest: string | undefined,
  known: KnownNames,
): NameFault | undefined {
  if (rest !== undefined || !/^[A-Za-z_]\w*$/.test(variable))
    return { message: `\${${name}} does not name an environment variable`, hint: 'write ${env.NAME}' };
  return known.environment(variable) === undefined ? missingEnvironment(variable) : undefined;
}

function variableFault(name: string, known: KnownNames): NameFault | undefined {
  const variable = name.slice('vars.'.length);
  if (known.variables.includes(variable)) return undefined;
  const near = nearest(variable, known.variables);
  const hint =
    near === undefined ? `declare it below variables, or pass -e ${variable}=…` : `did you mean vars.${near}?`;
  return { message: `there is no variable "${variable}"`, hint };
}

function dataFault(name: string, table: string, column: string | undefined, known: KnownNames): NameFault | undefined {
  if (!known.tables.has(table)) {
    const tables = [...known.tables.keys()];
    return {
      message: `there is no data "${table}"`,
      hint: tables.length === 0 ? `declare ${table}: { file: … } below data` : suggestion(table, tables),
    };
  }
  const columns = known.tables.get(table);
  if (columns === undefined) return undefined;
  if (column === undefined)
    return { message: `\${${name}} does not name a column`, hint: `write \${data.${table}.${columns[0] ?? 'COLUMN'}}` };
  if (columns.includes(column)) return undefined;
  const [only = ''] = columns;
  const isSplitOtherwise = columns.length === 1 && /[;\t]/.test(only);
  const hint = isSplitOtherwise
    ? `its only column is "${only}": separate columns by commas, not by ${only.includes(';') ? 'semicolons' : 'tabs'}`
    : suggestion(column, columns, 'its columns are');
  return { message: `"${table}" has no column "${column}"`, hint };
}

function momentFault(name: string, known: KnownNames): NameFault | undefined {
  if (name === 'iteration' && !known.inRepeat)
    return { message: '${iteration} is defined only inside a repeat', hint: 'put the step below repeat:' };
  if (name === 'index' && !known.inBurst)
    return { message: '${index} is defined only inside a burst', hint: 'in a repeat, write ${iteration}' };
  if (name === 'turn' && !known.sent)
    return {
      message: '${turn} is used before any message was sent in this journey',
      hint: 'put a sendMessage before it',
    };
  if (name === 'answer' && !known.followed) {
    return {
      message: '${answer} is used before any turn was followed in this journey',
      hint: 'put a followTurn before it',
    };
  }
  return undefined;
}

function unknownFault(name: string, known: KnownNames): NameFault {
  if (known.capturedEver.has(name)) {
    return {
      message: `\${${name}} is captured only by a later step`,
      hint: 'move the step that captures it before this one',
    };
  }
  const candidates = [
    ...known.captured,
    ...momentNames,
    'user.id',
    'user.index',
    ...known.variables.map((variable) => `vars.${variable}`),
    ...[...known.tables].flatMap(([table, columns]) => (columns ?? []).map((column) => `data.${table}.${column}`)),
  ];
  // A name without its group: ${city} for ${vars.city}.
  const grouped = candidates.find((candidate) => candidate.endsWith(`.${name}`));
  return {
    message: `there is no name \${${name}}`,
    hint: grouped === undefined ? suggestion(name, candidates, 'names here are') : `did you mean ${grouped}?`,
  };
}
