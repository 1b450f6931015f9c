import { ConfigurationError } from '../base/index.ts';
import { type Header, readJournalSync } from '../history/index.ts';

/** A journal's first line. @throws ConfigurationError when it is no journal */
export function headerOf(journal: string): Header {
  for (const record of readJournalSync(journal)) if (record.kind === 'header') return record;
  throw new ConfigurationError([{ file: journal, path: '', message: 'is empty', hint: 'run the scenario again' }]);
}
