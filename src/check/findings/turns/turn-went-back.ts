import { kindOf } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';

/**
 * An answer reported the turn as finished, and a poll sent after that showed it open, later than a status may be stale according
 * to the profile. For `completed` the specification itself says "the turn is finished"; a service may retry what failed.
 */
export const turnWentBack = kindOf<{
  turn: string;
  from: string;
  to: string;
  finished: string | number;
  open: string | number;
}>(
  'A turn that an answer had reported as finished was in process again.',
  function* ({ turns, evidence }) {
    const { staleUs, completed: done } = evidence.words.turns;
    for (const { id, completed, failed, open } of turns.having('open')) {
      const end = completed && failed && failed.receivedAt < completed.receivedAt ? failed : (completed ?? failed);
      if (!end || !open || open.sentAt - staleUs <= end.receivedAt) continue;
      yield {
        basis: done.includes(end.status) ? 'specification' : 'observation',
        at: open.sentAt,
        exchanges: [refOf(end), refOf(open)],
        data: {
          turn: plainWord(id),
          from: plainWord(end.status),
          to: plainWord(open.status),
          finished: refOf(end),
          open: refOf(open),
        },
      };
    }
  },
  ({ turn, from, to, finished, open }) =>
    `turn ${turn} was ${from} in the answer to request ${finished}, and ${to} again in the answer to request ${open}, which was sent after that`,
);
