import { checkJournal, type JudgeOptions, weigh } from '../check/index.ts';
import { readJournalSync } from '../history/index.ts';
import type { VerdictsDocument } from '../report/index.ts';

/** The verdicts on a journal, and which of them count according to the profile in its header. @throws as `checkJournal` */
export function judgeJournal(journal: string, options: JudgeOptions = {}): VerdictsDocument {
  const verdicts = checkJournal(journal, options);
  return { ...verdicts, ...weigh(verdicts, profileOf(journal)) };
}

/** The header is a journal's first line. */
function profileOf(journal: string): unknown {
  for (const record of readJournalSync(journal)) return record.kind === 'header' ? record.profile : undefined;
  return undefined;
}
