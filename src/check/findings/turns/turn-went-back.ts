import { inert } from '../inert.ts';
import { kindOf } from '../kind.ts';
import { refOf } from '../reference.ts';

/**
 * An answer said that the turn was finished, and a poll that was sent only then said that it goes on. Of `completed` the
 * specification itself says "the turn is finished"; what other words mean is the profile's.
 */
export const turnWentBack = kindOf<{
  turn: string;
  from: string;
  to: string;
  finished: string | number;
  open: string | number;
}>(
  'A turn that an answer had called finished was in process again.',
  function* ({ turns }) {
    for (const [id, { firstEnd, lastOpen }] of turns) {
      const ends = [firstEnd.completed, firstEnd.failed].filter((end) => end !== undefined);
      const end = ends.sort((a, b) => a.receivedAt - b.receivedAt)[0];
      if (!end || !lastOpen || lastOpen.sentAt <= end.receivedAt) continue;
      yield {
        basis: end.status === 'completed' ? 'specification' : 'profile',
        at: lastOpen.sentAt,
        exchanges: [refOf(end), refOf(lastOpen)],
        data: {
          turn: inert(id),
          from: inert(end.status),
          to: inert(lastOpen.status),
          finished: refOf(end),
          open: refOf(lastOpen),
        },
      };
    }
  },
  ({ turn, from, to, finished, open }) =>
    `turn ${turn} was ${from} in the answer to request ${finished}, and ${to} again in the answer to request ${open}, which was sent after that`,
);
