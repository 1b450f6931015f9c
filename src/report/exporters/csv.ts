import { stringify } from 'csv-stringify/sync';
import type { Measurements } from '../../collect/index.ts';
import { inertText } from '../inert-text.ts';
import type { ColumnDoc, Exporter } from './exporter.ts';

/** Absent is an empty field; zero is `0`. */
export type CsvValue = string | number | boolean | undefined;

export interface CsvColumn<Row> extends ColumnDoc {
  readonly value: (row: Row) => CsvValue;
}

/** Longest text in a field; ids, labels and codes are far shorter, and a service must not be able to swell the file. */
const FIELD_CHARACTERS = 500;

/** Rows per call of the CSV library, whose cost is mostly per call; 256 rows are some 100 kB. */
const BATCH = 256;

/**
 * Writes CSV (RFC 4180, but lines end with LF): a header line, then one line per row. Text is inert: controls are spelled
 * out, so a row is one line, and a field that a spreadsheet would take for a formula (=, +, -, @) gets a leading apostrophe.
 */
export class CsvText<Row> {
  readonly #columns: readonly CsvColumn<Row>[];
  #waiting: CsvValue[][];

  constructor(columns: readonly CsvColumn<Row>[]) {
    this.#columns = columns;
    this.#waiting = [columns.map((column) => column.name)];
  }

  /** @returns text to append; empty while rows gather */
  row(row: Row): string {
    this.#waiting.push(this.#columns.map((column) => cell(column.value(row))));
    return this.#waiting.length < BATCH ? '' : this.rest();
  }

  /** @returns what has gathered; the header line alone when there was no row */
  rest(): string {
    const text = stringify(this.#waiting, { escape_formulas: true, cast: { boolean: String } });
    this.#waiting = [];
    return text;
  }
}

const cell = (value: CsvValue): CsvValue => (typeof value === 'string' ? inertText(value, FIELD_CHARACTERS) : value);

/**
 * Columns of a row whose members are all of them fields: a member without a column does not compile.
 * @param docs in the order of the file
 */
export function columnsOf<Row extends object>(
  docs: {
    readonly [Key in keyof Row]-?: Row[Key] extends CsvValue ? ColumnDoc : never;
  },
): readonly CsvColumn<Row>[] {
  return (Object.entries(docs) as [keyof Row, ColumnDoc][]).map(([key, doc]) => ({
    ...doc,
    value: (row) => row[key] as CsvValue,
  }));
}

/** Opens exports whose rows are there once everything is measured. */
export const rowsAtTheEnd =
  <Row>(columns: readonly CsvColumn<Row>[], rowsOf: (measured: Measurements) => Iterable<Row>): Exporter['open'] =>
  () => ({
    add: () => '',
    *finish(measured) {
      const csv = new CsvText(columns);
      for (const row of rowsOf(measured)) yield csv.row(row);
      yield csv.rest();
    },
  });
