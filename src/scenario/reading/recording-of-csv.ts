import { type ConfigProblem, parseDuration, plural } from '../../base/index.ts';
import { type CsvRecord, parseCsv } from './csv.ts';
import { firstProblems } from './first-problems.ts';
import { type Instant, parseInstant } from './instant.ts';
import { found, type RecordingResult, type RecordingSource, type Unit } from './recorded-times.ts';

/** The times in a column of a CSV. */
export function recordingOfCsv(text: string, { file, column, unit }: RecordingSource): RecordingResult {
  const refusedAt = (faults: readonly CsvFault[]): RecordingResult => {
    const problems = faults.map((fault) => ({ file, column: 1, path: '', ...fault }));
    return { ok: false, problems: firstProblems(problems, file) };
  };
  const csv = parseCsv(text);
  if (!csv.ok) return refusedAt([{ line: csv.line, message: csv.message, hint: csv.hint }]);
  const [header, ...rows] = csv.records;
  const names = header?.fields.map((name) => name.trim()) ?? [];
  const columnFault = faultOfColumn(names, column, header?.line ?? 1);
  if (columnFault) return refusedAt([columnFault]);
  const ragged = faultsOfLength(rows, names.length);
  if (ragged.length > 0) return refusedAt(ragged);
  const at = names.indexOf(column);
  const cells = rows.map(({ line, fields }) => ({ line, text: fields[at] ?? '' }));
  const times = cells.map((cell) => timeOf(cell.text, unit ?? unitOf(column)));
  const mixed = faultsOfTimes(cells, times);
  if (mixed.length > 0) return refusedAt(mixed);
  return found(
    times.map((time) => time?.us ?? 0),
    file,
    'times',
    'write a row for each arrival',
  );
}

type CsvFault = Required<Pick<ConfigProblem, 'line' | 'message' | 'hint'>>;

/** Why the header does not determine the column of the times; undefined if it does. @param line of the header */
function faultOfColumn(names: readonly string[], column: string, line: number): CsvFault | undefined {
  const at = names.indexOf(column);
  if (names.lastIndexOf(column) !== at)
    return { line, message: `has several columns "${column}"`, hint: 'give each a name of its own' };
  if (at >= 0) return undefined;
  const hint =
    names.length === 0
      ? 'write a header line, and a time in each row'
      : `write column: with one of ${names.join(', ')}`;
  return { line, message: `has no column "${column}"`, hint };
}

const faultsOfLength = (rows: readonly CsvRecord[], width: number): CsvFault[] =>
  rows
    .filter(({ fields }) => fields.length !== width)
    .map(({ line, fields }) => ({
      line,
      message: `has ${plural(fields.length, 'cell')} where the header has ${width}`,
      hint: 'a comma within a cell needs quotes; decimals are written with a point',
    }));

/** Cells without a time, or with another kind of time than the first: offsets, and instants with or without a zone, are not mixed. */
function faultsOfTimes(
  cells: readonly { readonly line: number; readonly text: string }[],
  times: readonly (Time | undefined)[],
): CsvFault[] {
  const kind = times.find((time) => time !== undefined)?.kind;
  const hint = HINTS[kind ?? 'offset'];
  return cells
    .filter((_, i) => times[i] === undefined || times[i].kind !== kind)
    .map(({ line, text }) => ({
      line,
      message: `${JSON.stringify(text.slice(0, 40))} is not a time of the same kind as the others`,
      hint,
    }));
}

const HINTS: Record<Time['kind'], string> = {
  offset: 'write for example 1.5, 1.5s or 2026-01-15T09:00:00.250Z',
  instant: 'write an instant with its zone in every row',
  local: 'write an instant in every row, either all with a zone or none',
};

type Time = Instant | { readonly kind: 'offset'; readonly us: number };

const MICROS: Record<Unit, number> = { s: 1_000_000, ms: 1_000, us: 1 };

/** The CSV files of a report end the names of their columns so. */
const unitOf = (column: string): Unit => (/_(ms|us)$/.exec(column)?.[1] as Unit | undefined) ?? 's';

function timeOf(text: string, unit: Unit): Time | undefined {
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return { kind: 'offset', us: Number(trimmed) * MICROS[unit] };
  const duration = parseDuration(trimmed);
  if (duration !== undefined) return { kind: 'offset', us: duration * 1_000 };
  return parseInstant(trimmed);
}
