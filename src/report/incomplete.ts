import { inertText } from '../base/index.ts';
import type { Summary } from '../collect/index.ts';

/** Why a run fails if none of the expectations could be checked. */
export const NEVER_CHECKED = 'the scenario has expectations, but no answer was received that they apply to';

/** Whether the run ended early because its request budget was spent. Such a run does not pass, however good its numbers are. */
export const isOverBudget = ({ incompleteBecause }: Pick<Summary['run'], 'incompleteBecause'>): boolean =>
  incompleteBecause === 'budget';

const words: Readonly<Record<string, string>> = {
  interrupted: 'interrupted',
  deadline: "ended by the scenario's deadline or gracefulStop",
  gate: 'ended by a gate',
  budget: 'its budget was spent',
  disk: 'the disk could not be written',
  target: 'the service could not be used',
  sandbox: 'the embedded sandbox failed',
  'no-end': 'cut off, the end record is missing',
  'lines-lost': 'lines are missing',
  'lines-unreadable': 'lines cannot be read',
  'lines-doubled': 'it has duplicate lines, which count twice',
};

/** Why a history is incomplete, in words; completes "incomplete: …". A journal may name any reason, even `constructor`. */
export const incompleteText = ({ incompleteBecause = 'unknown' }: Pick<Summary['run'], 'incompleteBecause'>): string =>
  (Object.hasOwn(words, incompleteBecause) ? words[incompleteBecause] : undefined) ?? inertText(incompleteBecause, 20);

/** Why there are no exchanges to report. */
export function emptyText({ warmUp, inFlightAtEnd }: Summary['run']): string {
  if (warmUp.exchanges > 0) return 'nothing was sent after the warm-up';
  return inFlightAtEnd > 0 ? 'no answer is recorded for any request' : 'nothing was sent';
}
