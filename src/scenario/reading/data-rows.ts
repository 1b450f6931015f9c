import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { type ConfigProblem, ConfigurationError, parseDocument, utf8Of, whyNotRead } from '../../base/index.ts';
import { isRounded, ROUNDED } from '../validation/rounded-numbers.ts';
import { parseCsv } from './csv.ts';
import { firstProblems } from './first-problems.ts';

export type DataValue = string | number | boolean | null;
export type DataRow = Readonly<Record<string, DataValue>>;

/** Rows that scenarios use as `${data.NAME.COLUMN}`. Values of a CSV file are always strings. */
interface DataTable {
  readonly columns: readonly string[];
  /** At least one; every row has every column. */
  readonly rows: readonly DataRow[];
}

type DataResult =
  | { readonly ok: true; readonly table: DataTable }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** Reads a CSV file with a header line, or a JSON array of objects that all have the same members. */
export function readDataRows(file: string): DataResult {
  const extension = extname(file).toLowerCase();
  if (extension !== '.csv' && extension !== '.json') {
    return refuse({
      file,
      path: '',
      message: `${extension || 'no extension'} is not a file type for data`,
      hint: 'give a .csv or a .json file',
    });
  }
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    return refuse({ file, path: '', ...whyNotRead(error, 'the path is relative to the scenario') });
  }
  let text: string;
  try {
    text = utf8Of(bytes, file);
  } catch (error) {
    if (error instanceof ConfigurationError) return { ok: false, problems: error.problems };
    throw error;
  }
  return extension === '.csv' ? rowsOfCsv(text, file) : rowsOfJson(text, file);
}

function rowsOfCsv(text: string, file: string): DataResult {
  const at = (line: number, message: string, hint?: string): ConfigProblem => ({
    file,
    line,
    column: 1,
    path: '',
    message,
    ...(hint !== undefined && { hint }),
  });
  const csv = parseCsv(text);
  if (!csv.ok) return refuse(at(csv.line, csv.message, csv.hint));
  const [header, ...records] = csv.records;
  if (!header) return refuse(at(1, 'is empty', 'write a header line with the names of the columns, and rows below it'));
  const columns = header.fields.map((name) => name.trim());
  const problems = columns.flatMap((name, index) => {
    if (name === '' || /[{}]/.test(name))
      return [at(header.line, `column ${index + 1} has no usable name`, 'name it in the header line, without braces')];
    return columns.indexOf(name) < index ? [at(header.line, `two columns are called "${name}"`, 'rename one')] : [];
  });
  if (records.length === 0) problems.push(at(header.line, 'has a header but no rows', 'write at least one row'));
  for (const { line, fields } of records) {
    if (fields.length === columns.length) continue;
    const counted = `${fields.length} ${fields.length === 1 ? 'field' : 'fields'}`;
    problems.push(
      at(line, `has ${counted} where the header has ${columns.length}`, 'put fields that hold a comma in quotes'),
    );
  }
  if (problems.length > 0) return refuseMany(problems, file);
  const rows = records.map(({ fields }) =>
    Object.fromEntries(columns.map((name, index) => [name, fields[index] ?? ''])),
  );
  return { ok: true, table: { columns, rows } };
}

function rowsOfJson(text: string, file: string): DataResult {
  let value: unknown;
  try {
    value = JSON.parse(text) as unknown;
  } catch (error) {
    return refuse(...syntaxProblems(text, file, error as Error));
  }
  const wrong = (path: string, message: string): ConfigProblem => ({
    file,
    path,
    message,
    hint: 'write for example [{ "city": "Geneva" }]',
  });
  if (!Array.isArray(value)) return refuse(wrong('', 'must be an array of objects'));
  if (value.length === 0) return refuse(wrong('', 'has no rows'));
  const columns = isRow(value[0]) ? Object.keys(value[0]) : [];
  const problems = value.flatMap((row: unknown, index) => {
    if (!isRow(row)) return [wrong(`[${index}]`, 'must be an object of texts, numbers, booleans or null')];
    const differing = [
      ...columns.filter((name) => !Object.hasOwn(row, name)),
      ...Object.keys(row).filter((name) => !columns.includes(name)),
    ];
    const rounded = Object.keys(row).filter((name) => isRounded(row[name]));
    return [
      ...differing.map((name) => wrong(`[${index}]`, `"${name}" must be in every row or in none`)),
      ...rounded.map((name) => ({ file, path: `[${index}]`, ...ROUNDED, message: `"${name}" ${ROUNDED.message}` })),
    ];
  });
  return problems.length > 0 ? refuseMany(problems, file) : { ok: true, table: { columns, rows: value as DataRow[] } };
}

function isRow(value: unknown): value is DataRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).every(
    (member) => member === null || ['string', 'number', 'boolean'].includes(typeof member),
  );
}

/** Parses the text as YAML, a superset of JSON, to get positions. If YAML finds no fault, returns the message of JSON.parse. */
function syntaxProblems(text: string, file: string, error: Error): readonly ConfigProblem[] {
  try {
    parseDocument(text, file);
  } catch (located) {
    if (located instanceof ConfigurationError) return located.problems;
  }
  return [{ file, path: '', message: `not valid JSON: ${error.message}` }];
}

const refuse = (...problems: readonly ConfigProblem[]): DataResult => ({ ok: false, problems });

const refuseMany = (problems: readonly ConfigProblem[], file: string): DataResult =>
  refuse(...firstProblems(problems, file));
