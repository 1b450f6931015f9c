import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { groupedBy } from '../base/index.ts';
import type { Summary } from '../collect/index.ts';
import { type EndRecord, type Header, readJournalSync, type SentRecord } from '../history/index.ts';
import { csvRecords } from '../report/exporters/parse-csv.exam.ts';
import { byKind, ofKind, type RecordsByKind } from './history/by-kind.ts';

/** The results folder of a run. */
export interface Results extends RecordsByKind {
  readonly folder: string;
  readonly header: Header | undefined;
  readonly end: EndRecord | undefined;
  readonly sent: readonly SentRecord[];
  /** @throws if there is none */
  summary(): Summary;
  /** Rows of `requests.csv`, `turns.csv` or `intervals.csv`, by column name. */
  rows(file: string): readonly Readonly<Record<string, string>>[];
}

/** Reads a results folder, which may be incomplete after a crash. */
export function resultsIn(folder: string): Results {
  const records = [...readJournalSync(join(folder, 'history.ndjson'))];
  return {
    folder,
    ...byKind(records),
    header: ofKind(records, 'header')[0],
    end: ofKind(records, 'end')[0],
    sent: ofKind(records, 'sent'),
    summary: () => JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')) as Summary,
    rows: (file) => csvRecords(readFileSync(join(folder, file), 'utf8')),
  };
}

/** Complete lines of a journal that is still being written; empty if it does not exist yet. */
export function journalLines(folder: string): readonly string[] {
  const path = join(folder, 'history.ndjson');
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

/** Groups items by a key, in the order of the first items. */
export const grouped = <T, K>(items: readonly T[], keyOf: (item: T) => K): readonly (readonly T[])[] => [
  ...groupedBy(items, keyOf).values(),
];
