import { checkJournal, type JudgeOptions, weigh } from '../../check/index.ts';
import type { VerdictsDocument } from '../../report/index.ts';
import { headerOf } from './read-header.ts';

/** The verdicts on a journal, and which of them count according to the profile in its header. @throws as `checkJournal` */
export function judgeJournal(journal: string, options: JudgeOptions = {}): VerdictsDocument {
  const verdicts = checkJournal(journal, options);
  return { ...verdicts, ...weigh(verdicts, headerOf(journal).profile) };
}
