import { profileWords } from '../../history/index.ts';
import { CsvText } from './csv.ts';
import type { Export, Exporter } from './exporter.ts';
import type { RequestRow } from './request-row.ts';
import { requestColumns } from './requests-columns.ts';

/** `requests.csv`: one row per exchange, in the order of the journal. */
export const requestsCsv: Exporter = {
  file: 'requests.csv',
  holds: 'one row per exchange: one attempt of one operation',
  columns: requestColumns,
  open(): Export {
    const csv = new CsvText(requestColumns);
    let facts: Omit<RequestRow, 'exchange'> = { warmUpUs: 0, words: profileWords(undefined) };
    return {
      add(record) {
        if (record.kind === 'header') facts = { warmUpUs: record.warmUpUs, words: profileWords(record.profile) };
        return record.kind === 'exchange' ? csv.row({ exchange: record, ...facts }) : '';
      },
      finish: () => [csv.rest()],
    };
  },
};
