import { formatDuration } from '../../../base/index.ts';
import { kindOf } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';

type Data = { turn: string; stream: string; poll: string; request: string | number; laterUs: number };

/**
 * The stream reported the end of the turn, and a poll disagreed: it was sent afterwards and showed the turn open, or it showed
 * the other end, at any time. Only an observation, as nothing promises that both ways are in step. Not reported for a poll that
 * may be stale according to the profile.
 */
export const streamAndPollDisagree = kindOf<Data>(
  'The stream of a turn and a poll reported different states.',
  function* ({ turns, evidence }) {
    const { staleUs } = evidence.words.turns;
    for (const [told, state, otherState] of [
      ['completedOnStream', 'completed', 'failed'],
      ['failedOnStream', 'failed', 'completed'],
    ] as const) {
      for (const turn of turns.having(told)) {
        const { id, open, handshake, [told]: toldAt, [otherState]: other } = turn;
        if (toldAt === undefined) continue;
        const poll = open && open.sentAt - staleUs > toldAt ? open : other;
        if (!poll) continue;
        yield {
          basis: 'observation',
          at: poll.sentAt,
          exchanges: [...(handshake ? [refOf(handshake)] : []), refOf(poll)],
          data: {
            turn: plainWord(id),
            stream: state,
            poll: plainWord(poll.status),
            request: refOf(poll),
            laterUs: poll.sentAt - toldAt,
          },
        };
      }
    }
  },
  ({ turn, stream, poll, request, laterUs }) => {
    const when = laterUs > 0 ? `, which was sent ${formatDuration(laterUs)} later` : '';
    return `turn ${turn} had ${stream} according to its stream, and was ${poll} in the answer to request ${request}${when}`;
  },
);
