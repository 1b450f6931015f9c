import { kindOf } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';

/**
 * Completed in one answer, failed in another: a turn ends once, so one of the two was untrue. For `completed` the specification
 * itself says "the turn is finished"; for `failed` it says nothing, and a service may retry what failed. A poll that may be stale
 * may show what was so before.
 */
export const turnEndedTwice = kindOf<{ turn: string; completed: string | number; failed: string | number }>(
  'One answer reported a turn as completed, another one as failed.',
  function* ({ turns, evidence }) {
    const { staleUs } = evidence.words.turns;
    for (const { id, completed, failed } of turns.having('completed', 'failed')) {
      if (!completed || !failed) continue;
      yield {
        basis: completed.receivedAt < failed.sentAt - staleUs ? 'profile' : 'observation',
        at: Math.max(completed.receivedAt, failed.receivedAt),
        exchanges: [refOf(completed), refOf(failed)],
        data: { turn: plainWord(id), completed: refOf(completed), failed: refOf(failed) },
      };
    }
  },
  ({ turn, completed, failed }) =>
    `turn ${turn} was completed in the answer to request ${completed} and failed in the answer to request ${failed}`,
);
