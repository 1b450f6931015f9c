import type { Send } from '../gather/messages.ts';
import { kindOf, type Look } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';
import { underOneId } from './same-message.ts';

/**
 * Whether the turn that answered a content may belong to an earlier content under the same id: one of several turns that no
 * promise makes one, or a turn whose begin nobody saw. Stamps are rounded down, so within one microsecond either may be earlier.
 */
const mayBeOfAnother = ({ turn, digest, receivedAt }: Send, sends: readonly Send[], { promises }: Look): boolean =>
  sends.some(
    (one) =>
      one.digest !== digest &&
      one.sentAt <= receivedAt &&
      (one.turn === turn || (one.outcome === 'unknown' && promises.idempotency.sameTurn !== true)),
  );

/** Two contents accepted under one id: whichever came first, the other was accepted under a used id. */
export const otherContentAccepted = kindOf<{ message: string; promised: string; turn: 'same' | 'new' }>(
  'Other content was accepted under a client_message_id that was already in use.',
  function* (look) {
    const { otherContent: promised } = look.promises.idempotency;
    for (const sends of underOneId(look, 'conversation')) {
      const accepted = sends.filter(({ outcome }) => outcome === 'accepted');
      const [first] = accepted;
      const other = accepted.find(({ digest }) => digest !== first?.digest);
      if (!first || !other) continue;
      const turn = mayBeOfAnother(other, sends, look) ? 'same' : 'new';
      if (promised === 'ignored' && turn === 'same') continue;
      yield {
        basis: promised === 'unknown' ? 'observation' : 'profile',
        at: other.receivedAt,
        exchanges: [refOf(first), refOf(other)],
        data: { message: plainWord(first.message), promised, turn },
      };
    }
  },
  ({ message, promised, turn }) => {
    const what = turn === 'same' ? 'answered with the earlier turn' : 'accepted as a separate turn';
    const against = promised === 'unknown' ? '' : `; the profile says that it is ${promised}`;
    return `other content under the used id ${message} was ${what}${against}`;
  },
);
