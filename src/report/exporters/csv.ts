import { stringify } from 'csv-stringify/sync';
import { inertText } from '../../base/index.ts';
import type { Measurements } from '../../collect/index.ts';
import type { Exchange, Header } from '../../history/index.ts';
import type { ColumnDoc } from '../column-doc.ts';
import type { Exporter } from './exporter.ts';

/** Absent is an empty field; zero is `0`. */
export type CsvValue = string | number | boolean | undefined;

export interface CsvColumn<Row> extends ColumnDoc {
  readonly value: (row: Row) => CsvValue;
}

/** @param unit absent: it has none */
export const column = <Row>(
  name: string,
  meaning: string,
  value: CsvColumn<Row>['value'],
  unit?: string,
): CsvColumn<Row> => ({ name, meaning, value, ...(unit !== undefined && { unit }) });

/** Maximum characters of a field, so that a service cannot inflate the file; ids, labels and codes are far shorter. */
export const FIELD_CHARACTERS = 500;

/** Rows per call of the CSV library, whose cost is mostly per call; 256 rows are about 100 kB. */
const BATCH = 256;

/**
 * Writes CSV (RFC 4180, but lines end with LF): a header line, then one line per row. Text is inert: controls are escaped, so a row is
 * one line, and a field that a spreadsheet would take for a formula (=, +, -, @) gets a leading apostrophe; so does what follows a
 * semicolon in it.
 */
class CsvText<Row> {
  readonly #columns: readonly CsvColumn<Row>[];
  #buffered: CsvValue[][];

  constructor(columns: readonly CsvColumn<Row>[]) {
    this.#columns = columns;
    this.#buffered = [columns.map((column) => column.name)];
  }

  /** @returns text to append; empty while rows are buffered */
  row(row: Row): string {
    this.#buffered.push(this.#columns.map((column) => cell(column.value(row))));
    return this.#buffered.length < BATCH ? '' : this.rest();
  }

  /** @returns the buffered rows; only the header line if there was no row */
  rest(): string {
    const text = stringify(this.#buffered, { escape_formulas: true, cast: { boolean: String } });
    this.#buffered = [];
    return text;
  }
}

/**
 * Where the decimal separator is a comma, a spreadsheet opens CSV as fields between semicolons, so that what follows one begins a
 * field. Quotes do not prevent that: they count only at the beginning of a field.
 */
const FORMULA_AFTER_SEMICOLON = /;(?="*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

const cell = (value: CsvValue): CsvValue =>
  typeof value === 'string' ? inertText(value, FIELD_CHARACTERS).replace(FORMULA_AFTER_SEMICOLON, ";'") : value;

/**
 * Columns of a row type, one per member; a member without a column does not compile.
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

/** `open` of an exporter whose rows are known only after all records were measured. */
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

/**
 * `open` of an exporter with a row for each exchange.
 * @param factsOf what else its columns need; absent header: as long as none was read
 * @param isWanted whether an exchange has a row; default: each has
 */
export const rowPerExchange =
  <Facts extends object>(
    columns: readonly CsvColumn<Facts & { readonly exchange: Exchange }>[],
    factsOf: (header: Header | undefined) => Facts,
    isWanted: (exchange: Exchange, facts: Facts) => boolean = () => true,
  ): Exporter['open'] =>
  () => {
    const csv = new CsvText(columns);
    let facts = factsOf(undefined);
    return {
      add(record) {
        if (record.kind === 'header') facts = factsOf(record);
        const isRow = record.kind === 'exchange' && isWanted(record, facts);
        return isRow ? csv.row({ ...facts, exchange: record }) : '';
      },
      finish: () => [csv.rest()],
    };
  };
