import { type Exchange, type Header, type ProfileWords, profileWords } from '../../history/index.ts';
import type { CsvColumn } from './csv.ts';

/** What the columns of an exchange need of the header. */
interface RequestFacts {
  readonly warmUpUs: number;
  readonly words: ProfileWords;
}

export const requestFacts = (header: Header | undefined): RequestFacts => ({
  warmUpUs: header?.warmUpUs ?? 0,
  words: profileWords(header?.profile),
});

export interface RequestRow extends RequestFacts {
  readonly exchange: Exchange;
}

export type RequestColumn = CsvColumn<RequestRow>;
