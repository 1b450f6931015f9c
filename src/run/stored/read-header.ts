import { ConfigurationError } from '../../base/index.ts';
import { type Header, readJournalSync } from '../../history/index.ts';

/** The header of a journal, its first line. @throws ConfigurationError if the file is empty or not a journal */
export function headerOf(journal: string): Header {
  for (const record of readJournalSync(journal)) if (record.kind === 'header') return record;
  const message = 'is empty, or ends within its first line';
  throw new ConfigurationError([{ file: journal, path: '', message, hint: 'run the scenario again' }]);
}
