import type { Measurements } from '../../collect/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import type { Judged } from '../judged.ts';

/** What one column or member of an export means: the README's tables and the CSV headers are made from the same array. */
export interface ColumnDoc {
  readonly name: string;
  /** `µs`, `ms`, `bytes`, …; absent for what has no unit. */
  readonly unit?: string;
  /** A sentence without a full stop, with the meaning of an empty field where it can be empty. */
  readonly meaning: string;
}

/** One file of a run's folder, written from the journal alone: the same journal gives the same bytes. */
export interface Exporter {
  /** Name in the run's folder. */
  readonly file: string;
  /** A sentence for the README: what one finds in it. */
  readonly holds: string;
  readonly columns: readonly ColumnDoc[];
  /**
   * Starts one export. Nothing is shared between two.
   * @param judged what was judged of the same journal; absent where nobody judged it. Most exports do not look at it.
   */
  open(judged?: Judged): Export;
}

/** An export under way. The text goes to the file in the order in which it is returned. */
export interface Export {
  /** Called with every record of the journal, in its order. @returns text to append now; empty while rows gather. */
  add(record: JournalRecord): string;
  /** Called once, after the last record, with everything measured. @returns the rest of the file, in pieces */
  finish(measured: Measurements): Iterable<string>;
}
