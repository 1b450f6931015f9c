import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ConfigProblem, ConfigurationError, parseDuration, plural, utf8Of } from '../../base/index.ts';
import type { Recording } from '../load-models/index.ts';
import { type CsvRecord, parseCsv } from './csv.ts';
import { firstProblems } from './first-problems.ts';
import { type Instant, parseInstant } from './instant.ts';
import { forEachLine } from './lines.ts';

/** Where a replay gets its times from. */
export interface RecordingSource {
  /** A CSV file, a journal, or the folder of a run. */
  readonly file: string;
  readonly column: string;
  /** Of bare numbers. Absent: told by the column's name (`intended_us`), otherwise seconds. */
  readonly unit?: Unit | undefined;
}

type RecordingResult =
  | { readonly ok: true; readonly recording: Recording }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** A CSV is read into memory. */
const LARGEST_CSV_BYTES = 256 * 1024 * 1024;

/** Reads the times of a replay, sorted and relative to the first. */
export function readRecording({ file, column, unit }: RecordingSource): RecordingResult {
  try {
    const isFolder = statSync(file).isDirectory();
    const journal = isFolder ? join(file, 'history.ndjson') : file;
    if (isFolder && !existsSync(journal))
      return refused(file, 'is a folder without a history.ndjson', 'name the folder of a run');
    if (isFolder || file.endsWith('.ndjson')) return recordingOfJournal(journal, file);
    if (!file.toLowerCase().endsWith('.csv'))
      return refused(file, 'is not a recording', 'give a .csv, a history.ndjson, or the folder of a run');
    if (statSync(file).size > LARGEST_CSV_BYTES) return refused(file, 'is larger than 256 MB', 'replay a part of it');
    return timesOfCsv(utf8Of(readFileSync(file), file), { file, column, unit });
  } catch (error) {
    if (error instanceof ConfigurationError) return { ok: false, problems: error.problems };
    return refused(file, `cannot be read: ${(error as Error).message}`, 'check the path and its permissions');
  }
}

function refused(file: string, message: string, hint: string): RecordingResult {
  return { ok: false, problems: [{ file, path: '', message, hint }] };
}

function found(times: readonly number[], file: string, what: string, hint: string): RecordingResult {
  if (times.length === 0) return refused(file, `has no ${what}`, hint);
  const sorted = Float64Array.from(times).sort();
  const first = sorted[0] ?? 0;
  return { ok: true, recording: { offsetsUs: sorted.map((time) => Math.round(time - first)) } };
}

/**
 * The intended times of all arrivals of a run, from records of journeys and drops; in older journals, whose journeys have no time,
 * from the first request. Torn lines and other records are skipped; if an arrival is lost with them, the journal is refused. Runs
 * that were stopped early are refused: their remaining arrivals share one record without single times, or are missing if the run
 * was killed, so a replay would be a different load.
 */
function recordingOfJournal(journal: string, file: string): RecordingResult {
  const told = new Map<number, number>();
  const requested = new Map<number, number>();
  let leftOver = 0;
  let end: Line | undefined;
  forEachLine(journal, (line) => {
    const record = parsed(line);
    const { kind, arrival, intendedAt, count } = record;
    if (kind === 'end') end = record;
    if (typeof arrival !== 'number' || typeof intendedAt !== 'number') return;
    if (kind === 'drop' && typeof count === 'number') leftOver += count;
    else if (kind === 'drop' || kind === 'journey') told.set(arrival, intendedAt);
    else if (kind === 'exchange')
      requested.set(arrival, Math.min(intendedAt, requested.get(arrival) ?? Number.POSITIVE_INFINITY));
  });
  const times = new Map([...requested, ...told]);
  const hint = 'replay a run that completed, or run the scenario itself with the seed of that run';
  if (!end && times.size > 0)
    return refused(
      file,
      'belongs to a run that was killed or is still running: its journal has no end record, so arrivals may be missing',
      hint,
    );
  const stopped = 'belongs to a run that was stopped early';
  if (leftOver > 0)
    return refused(
      file,
      `${stopped}: the times of ${leftOver} of its ${times.size + leftOver} arrivals are not recorded`,
      hint,
    );
  if (isCut(end)) return refused(file, `${stopped}: the arrivals that it did not reach are not recorded`, hint);
  if (typeof end?.arrivals === 'number' && end.arrivals !== times.size)
    return refused(
      file,
      `is damaged: it names ${times.size} of the ${end.arrivals} arrivals that its end record counts`,
      'replay a journal that is whole',
    );
  return found([...times.values()], file, 'arrivals', 'name the journal of a run that sent something');
}

/** Whether the run ended early for another reason than its planned deadline. */
const isCut = (end: Line | undefined): boolean => end?.complete === false && end.reason !== 'deadline';

type Line = {
  readonly [member in 'kind' | 'arrival' | 'arrivals' | 'intendedAt' | 'count' | 'complete' | 'reason']?: unknown;
};

function parsed(line: string): Line {
  try {
    return (JSON.parse(line) as object | null) ?? {};
  } catch {
    return {};
  }
}

function timesOfCsv(text: string, { file, column, unit }: RecordingSource): RecordingResult {
  const refusedAt = (faults: readonly CsvFault[]): RecordingResult => {
    const problems = faults.map((fault) => ({ file, column: 1, path: '', ...fault }));
    return { ok: false, problems: firstProblems(problems, file) };
  };
  const csv = parseCsv(text);
  if (!csv.ok) return refusedAt([{ line: csv.line, message: csv.message, hint: csv.hint }]);
  const [header, ...rows] = csv.records;
  const names = header?.fields.map((name) => name.trim()) ?? [];
  const columnFault = faultOfColumn(names, column);
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

/** Why the header does not determine the column of the times; undefined if it does. */
function faultOfColumn(names: readonly string[], column: string): CsvFault | undefined {
  const at = names.indexOf(column);
  if (names.lastIndexOf(column) !== at)
    return { line: 1, message: `has several columns "${column}"`, hint: 'give each a name of its own' };
  if (at >= 0) return undefined;
  const hint =
    names.length === 0
      ? 'write a header line, and a time in each row'
      : `write column: with one of ${names.join(', ')}`;
  return { line: 1, message: `has no column "${column}"`, hint };
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

const MICROS = { s: 1_000_000, ms: 1_000, us: 1 } as const;
type Unit = keyof typeof MICROS;

/** The CSV files of a report end the names of their columns so. */
const unitOf = (column: string): Unit => (/_(ms|us)$/.exec(column)?.[1] as Unit | undefined) ?? 's';

function timeOf(text: string, unit: Unit): Time | undefined {
  const trimmed = text.trim();
  if (/^\d+(\.\d+)?$/.test(trimmed)) return { kind: 'offset', us: Number(trimmed) * MICROS[unit] };
  const duration = parseDuration(trimmed);
  if (duration !== undefined) return { kind: 'offset', us: duration * 1_000 };
  return parseInstant(trimmed);
}
