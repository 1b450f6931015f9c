import { inertText } from '../base/index.ts';
import { plannedEnds, type Summary } from '../collect/index.ts';
import { formatCount, plural } from './formatters.ts';

/** Why a run fails if none of the expectations could be checked. */
export const NEVER_CHECKED = 'the scenario has expectations, but no answer was received that they apply to';

/** Whether the run ended early because its request budget was spent. Such a run does not pass, however good its numbers are. */
export const isOverBudget = ({ incompleteBecause }: Pick<Summary['run'], 'incompleteBecause'>): boolean =>
  incompleteBecause === 'budget';

const words: Readonly<Record<string, string>> = {
  interrupted: 'interrupted',
  deadline: 'its deadline or gracefulStop',
  gate: 'a gate',
  budget: 'its budget was spent',
  disk: 'the disk could not be written',
  target: 'the service could not be used',
  sandbox: 'the embedded sandbox failed',
  'no-end': 'cut off, the end record is missing',
  'lines-lost': 'lines are missing',
  'lines-unreadable': 'lines cannot be read',
  'lines-doubled': 'it has duplicate lines, which count twice',
};

/** Why a history is incomplete, in words; completes "incomplete: …", or "cut short by …" (`isCutShort`). A journal may name any reason, even `constructor`. */
export const incompleteText = ({ incompleteBecause = 'unknown' }: Pick<Summary['run'], 'incompleteBecause'>): string =>
  (Object.hasOwn(words, incompleteBecause) ? words[incompleteBecause] : undefined) ?? inertText(incompleteBecause, 20);

/** Whether a run ended before its plan did although all records are there: its history lacks nothing, its plan does. */
export const isCutShort = ({ complete, incompleteBecause = '' }: Summary['run']): boolean =>
  !complete && plannedEnds.has(incompleteBecause);

/** `cut short by a gate`, of a run that is (`isCutShort`). */
export const cutShortText = (run: Summary['run']): string =>
  `cut short ${isOverBudget(run) ? 'because' : 'by'} ${incompleteText(run)}`;

/** What a run that is not complete lacks: `cut short by a gate: 9 of 10 arrivals never started`, `incomplete: lines are missing`. */
export function lackText(summary: Pick<Summary, 'run' | 'drops'>): string {
  const { run } = summary;
  return isCutShort(run) ? `${cutShortText(run)}${unstarted(summary)}` : `incomplete: ${incompleteText(run)}`;
}

/** The same as a sentence. */
export const lackSentence = (run: Summary['run']): string =>
  isCutShort(run) ? `the run was ${cutShortText(run)}` : `the history is incomplete: ${incompleteText(run)}`;

function unstarted({ run, drops }: Pick<Summary, 'run' | 'drops'>): string {
  const { stopped = 0 } = drops.byReason;
  // Drops of the warm-up are not counted: of a run that ended in it their number is unknown.
  if (stopped === 0 || run.durationUs < run.warmUpUs) return '';
  return `: ${formatCount(stopped)} of ${plural(run.arrivals, 'arrival')} never started`;
}

/** Why there are no exchanges to report. */
export function emptyText({ warmUp, inFlightAtEnd }: Summary['run']): string {
  if (warmUp.exchanges > 0) return 'nothing was sent after the warm-up';
  return inFlightAtEnd > 0 ? 'no answer is recorded for any request' : 'nothing was sent';
}
