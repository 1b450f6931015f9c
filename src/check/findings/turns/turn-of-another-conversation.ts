import { underOneId } from '../idempotency/same-message.ts';
import { kindOf, type Look } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';

export const turnOfAnotherConversation = kindOf<{ turn: string; conversation: string; request: string | number }>(
  'A turn named another conversation than the one that its message was sent to.',
  function* (look) {
    const isSentTo = conversationsOfTurns(look);
    for (const { id, elsewhere } of look.turns.having('elsewhere')) {
      if (!elsewhere || isSentTo(id, elsewhere.conversation)) continue;
      const data = { turn: plainWord(id), conversation: plainWord(elsewhere.conversation), request: refOf(elsewhere) };
      yield { basis: 'observation', at: elsewhere.sentAt, exchanges: [refOf(elsewhere)], data };
    }
  },
  ({ turn, conversation, request }) =>
    `turn ${turn} belongs to another conversation in the answer to request ${request}: ${conversation}`,
);

/**
 * Whether the message of a turn was also sent to a conversation: if one id may be one message in all
 * conversations, a resend to another one is answered with the existing turn.
 */
function conversationsOfTurns(look: Look): (turn: string, conversation: string) => boolean {
  if (look.promises.idempotency.scope === 'conversation') return () => false;
  const pairs = new Set<string>();
  for (const sends of underOneId(look, 'application')) {
    const places = new Set(sends.map(({ conversation }) => conversation));
    if (places.size < 2) continue;
    for (const { turn } of sends) if (turn !== undefined) for (const place of places) pairs.add(pairOf(turn, place));
  }
  return (turn, conversation) => pairs.has(pairOf(turn, conversation));
}

const pairOf = (turn: string, conversation: string): string => JSON.stringify([turn, conversation]);
