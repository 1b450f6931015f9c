import type { Exchange, ProfileWords } from '../../history/index.ts';
import type { CsvColumn } from './csv.ts';

/** An exchange, with the facts of the header that its columns need. */
export interface RequestRow {
  readonly exchange: Exchange;
  readonly warmUpUs: number;
  readonly words: ProfileWords;
}

export type RequestColumn = CsvColumn<RequestRow>;
