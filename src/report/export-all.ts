import { join } from 'node:path';
import { type Measurements, measure } from '../collect/index.ts';
import { type JournalRecord, type JournalReport, readJournalSync } from '../history/index.ts';
import { AtomicFile, removeLeftOver } from './atomic-file.ts';
import type { Export, Exporter } from './exporters/exporter.ts';
import { type CsvFormat, csvFormats, exporters } from './exporters/index.ts';
import { type Judged, type SummaryDocument, summaryDocument } from './judged.ts';

export interface Exported {
  readonly summary: SummaryDocument;
  /** How complete the journal is: torn line, skipped kinds, missing sequence numbers. */
  readonly journal: JournalReport;
}

interface ExportAllOptions {
  /** The verdicts on the run, for the exports that show them. */
  readonly judged?: Judged | undefined;
  /** Called with every record, so that the caller can process the journal in the same pass. */
  readonly onRecord?: (record: JournalRecord) => void;
  /** Further forms of `requests.csv`; default none. */
  readonly csvFormats?: readonly CsvFormat[];
}

/**
 * Reads a journal once and writes all exports into the run's folder; the same journal gives the same bytes. Each file is replaced
 * atomically, and only after all of them are complete on disk. Rows are written as they come, so memory grows with the number of
 * turns and seconds, not with the number of exchanges.
 * @param journalPath a `history.ndjson`, usually in the same folder
 * @throws ConfigurationError if the journal cannot be read; the disk's error if a file cannot be written. Unless the final
 *   replacement fails, no file is changed then.
 */
export async function exportAll(
  runFolder: string,
  journalPath: string,
  { judged, onRecord, csvFormats: formats = [] }: ExportAllOptions = {},
): Promise<Exported> {
  await removeLeftOver(runFolder);
  const measurements = measure();
  const reading = readJournalSync(journalPath);
  const wanted = [...Object.values(exporters), ...formats.map((format) => csvFormats[format])];
  const outputs = wanted.map((exporter) => new Output(runFolder, exporter, judged));
  try {
    for (const record of reading) {
      measurements.add(record);
      onRecord?.(record);
      for (const output of outputs) {
        const text = output.export.add(record);
        // Awaited only if there is text: an await per record and file would cost more than processing the record.
        if (text !== '') await output.file.write(text);
      }
    }
    for (const output of outputs) await output.finish(measurements);
    for (const output of outputs) await output.file.commit();
  } catch (error) {
    await Promise.all(outputs.map((output) => output.file.abandon()));
    throw error;
  }
  return {
    summary: summaryDocument(measurements.summary(), judged),
    journal: reading.report(),
  };
}

/**
 * Makes the text of one export from records in memory, for example to compare two journals.
 * @param records in the order of the journal
 */
export function exportText(exporter: Exporter, records: Iterable<JournalRecord>, judged?: Judged): string {
  const measurements = measure();
  const open = exporter.open(judged);
  const pieces: string[] = [];
  for (const record of records) {
    measurements.add(record);
    pieces.push(open.add(record));
  }
  return [...pieces, ...open.finish(measurements)].join('');
}

class Output {
  readonly file: AtomicFile;
  readonly export: Export;

  constructor(runFolder: string, exporter: Exporter, judged: Judged | undefined) {
    this.file = new AtomicFile(join(runFolder, exporter.file));
    this.export = exporter.open(judged);
  }

  async finish(measurements: Measurements): Promise<void> {
    for (const piece of this.export.finish(measurements)) await this.file.write(piece);
    await this.file.complete();
  }
}
