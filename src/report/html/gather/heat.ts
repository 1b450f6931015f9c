import type { Exchange } from '../../../history/index.ts';
import type { HeatMap } from '../page-data.ts';

const ROWS_PER_DECADE = 8;
/** When there would be more columns, pairs are merged. */
const MOST_COLUMNS = 160;
const FIRST_COLUMN_US = 25_000;
/** 1 µs to 10¹⁰ µs (2.8 hours); longer durations are in the last row. */
const ROWS = 10 * ROWS_PER_DECADE;

/** Counts, keyed by column × ROWS + row. */
type Cells = Map<number, number>;

/** Counts all successful answers by time and duration; the width of the columns grows with the run. */
export class HeatGatherer {
  #columnUs = FIRST_COLUMN_US;
  #cells: { readonly service: Cells; readonly response: Cells } = { service: new Map(), response: new Map() };

  /** @param exchange a success */
  add({ sentAt, intendedAt, receivedAt }: Exchange): void {
    this.#count('service', sentAt, receivedAt - sentAt);
    this.#count('response', intendedAt, receivedAt - intendedAt);
  }

  map(): HeatMap {
    return {
      columnUs: this.#columnUs,
      rowsPerDecade: ROWS_PER_DECADE,
      service: listOf(this.#cells.service),
      response: listOf(this.#cells.response),
    };
  }

  #count(time: 'service' | 'response', at: number, us: number): void {
    while (Math.max(0, at) / this.#columnUs >= MOST_COLUMNS) this.#merge();
    const column = Math.floor(Math.max(0, at) / this.#columnUs);
    bump(this.#cells[time], column, rowOf(us), 1);
  }

  /** Doubles the width of the columns. */
  #merge(): void {
    this.#columnUs *= 2;
    this.#cells = { service: merged(this.#cells.service), response: merged(this.#cells.response) };
  }
}

const rowOf = (us: number): number =>
  Math.min(ROWS - 1, Math.floor(Math.log10(Math.max(1, us)) * ROWS_PER_DECADE + 1e-9));

function bump(cells: Cells, column: number, row: number, by: number): void {
  const key = column * ROWS + row;
  cells.set(key, (cells.get(key) ?? 0) + by);
}

function merged(cells: Cells): Cells {
  const half: Cells = new Map();
  for (const [key, count] of cells) bump(half, Math.floor(key / ROWS / 2), key % ROWS, count);
  return half;
}

const listOf = (cells: Cells): number[] =>
  [...cells].sort(([a], [b]) => a - b).flatMap(([key, count]) => [Math.floor(key / ROWS), key % ROWS, count]);
