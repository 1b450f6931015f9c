import type { Send } from '../gather/messages.ts';
import { kindOf, type Look } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';
import { underOneId } from './same-message.ts';

type Turn = 'same' | 'new' | 'unknown';

/**
 * Whether the turn that answered a content is an earlier content's, of the same id. Unknown, if no promise makes the turns of one
 * content one, and an answer with that turn may be missing. Stamps are rounded down, so within one microsecond either may be earlier.
 */
function turnOf(content: Send, sends: readonly Send[], { promises, isWhole }: Look): Turn {
  const others = sends.filter(({ digest, sentAt }) => digest !== content.digest && sentAt <= content.receivedAt);
  if (others.some(({ turn }) => turn === content.turn)) return 'same';
  const areAllKnown = isWhole && others.every(({ outcome }) => outcome !== 'unknown');
  return areAllKnown || promises.idempotency.sameTurn === true ? 'new' : 'unknown';
}

const told: Readonly<Record<Turn, string>> = {
  same: 'answered with the earlier turn',
  new: 'accepted as a separate turn',
  unknown: 'accepted',
};

/** Two contents accepted under one id: whichever came first, the other was accepted under a used id. */
export const otherContentAccepted = kindOf<{ message: string; promised: string; turn: Turn }>(
  'Other content was accepted under a client_message_id that was already in use.',
  function* (look) {
    const { otherContent: promised } = look.promises.idempotency;
    for (const sends of underOneId(look, 'conversation')) {
      const accepted = sends.filter(({ outcome }) => outcome === 'accepted');
      const [first] = accepted;
      const other = accepted.find(({ digest }) => digest !== first?.digest);
      if (!first || !other) continue;
      const turn = turnOf(other, sends, look);
      if (promised === 'ignored' && turn !== 'new') continue;
      yield {
        basis: promised === 'unknown' ? 'observation' : 'profile',
        at: other.receivedAt,
        exchanges: [refOf(first), refOf(other)],
        data: { message: plainWord(first.message), promised, turn },
      };
    }
  },
  ({ message, promised, turn }) => {
    const against = promised === 'unknown' ? '' : `; the profile says that it is ${promised}`;
    return `other content under the used id ${message} was ${told[turn]}${against}`;
  },
);
