import { inertText, listed } from '../../base/index.ts';
import type { JournalReport } from '../../history/index.ts';
import { formatCount, plural } from '../formatters.ts';

/** Warnings about parts of a journal that are not included in any number: unreadable lines and unknown kinds of records. */
export function journalWarnings({ badLines, tooLongLines, skippedKinds, tornLastLine }: JournalReport): string[] {
  const kinds = Object.entries(skippedKinds).map(([kind, count]) => `${inertText(kind, 40)} (${formatCount(count)})`);
  const long = tooLongLines === 0 ? '' : `, ${formatCount(tooLongLines)} of them too long`;
  return listed(
    badLines !== 0 && `${plural(badLines, 'line')} of the journal could not be read${long}`,
    kinds.length !== 0 && `records of unknown kinds were skipped: ${kinds.join(', ')}`,
    tornLastLine && 'the last line of the journal is incomplete, as after a crash',
  );
}
