import { inert } from '../inert.ts';
import { kindOf } from '../kind.ts';
import { refOf } from '../reference.ts';
import { underOneId } from './same-message.ts';

/** Two contents accepted under one id: whichever came first, the other was accepted under a used id. */
export const otherContentAccepted = kindOf<{ message: string; promised: string; turn: 'same' | 'new' }>(
  'A client_message_id that was in use was accepted with other content.',
  function* (look) {
    const { otherContent: promised } = look.promises.idempotency;
    for (const sends of underOneId(look)) {
      const accepted = sends.filter(({ outcome }) => outcome === 'accepted');
      const [first] = accepted;
      const other = accepted.find(({ digest }) => digest !== first?.digest);
      if (!first || !other) continue;
      const turn = other.turn === first.turn ? 'same' : 'new';
      if (promised === 'ignored' && turn === 'same') continue;
      yield {
        basis: promised === 'unknown' ? 'observation' : 'profile',
        at: other.receivedAt,
        exchanges: [refOf(first), refOf(other)],
        data: { message: inert(first.message), promised, turn },
      };
    }
  },
  ({ message, promised, turn }) => {
    const what = turn === 'same' ? 'answered with the earlier turn' : 'accepted as a turn of its own';
    const against = promised === 'unknown' ? '' : `; the profile says that it is ${promised}`;
    return `other content under the used id ${message} was ${what}${against}`;
  },
);
