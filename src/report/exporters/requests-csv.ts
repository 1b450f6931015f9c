import { rowPerExchange } from './csv.ts';
import type { Exporter } from './exporter.ts';
import { requestFacts } from './request-row.ts';
import { requestColumns } from './requests-columns.ts';

/** `requests.csv`: one row per exchange, in the order of the journal. */
export const requestsCsv: Exporter = {
  file: 'requests.csv',
  holds: 'one row per exchange: one attempt of one operation',
  columns: requestColumns,
  open: rowPerExchange(requestColumns, requestFacts),
};
