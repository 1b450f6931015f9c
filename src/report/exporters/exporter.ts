import type { Measurements } from '../../collect/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import type { ColumnDoc } from '../column-doc.ts';
import type { Judged } from '../judged.ts';

/** A file of a run's folder that is made only from the journal; the same journal gives the same bytes. */
export interface Exporter {
  /** File name in the run's folder. */
  readonly file: string;
  /** Description of the content, for results/README.md. */
  readonly holds: string;
  readonly columns: readonly ColumnDoc[];
  /**
   * Starts an export. Exports share no state.
   * @param judged the judgement of the same journal; absent if it was not judged. Most exports do not use it.
   */
  open(judged?: Judged): Export;
}

/** An export in progress. Returned texts are written to the file in order. */
export interface Export {
  /** Called with every record of the journal, in order. @returns text to append; empty while rows are buffered */
  add(record: JournalRecord): string;
  /** Called once, after the last record, with everything measured. @returns the rest of the file, in pieces */
  finish(measured: Measurements): Iterable<string>;
}
