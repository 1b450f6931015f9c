import { inert } from '../inert.ts';
import { kindOf } from '../kind.ts';
import { refOf } from '../reference.ts';

export const turnOfAnotherConversation = kindOf<{ turn: string; conversation: string; request: string | number }>(
  'A turn named another conversation than the one that its message was sent to.',
  function* ({ turns }) {
    for (const { id, elsewhere } of turns.having('elsewhere')) {
      if (!elsewhere) continue;
      const data = { turn: inert(id), conversation: inert(elsewhere.conversation), request: refOf(elsewhere) };
      yield { basis: 'observation', at: elsewhere.sentAt, exchanges: [refOf(elsewhere)], data };
    }
  },
  ({ turn, conversation, request }) =>
    `turn ${turn} belongs to another conversation in the answer to request ${request}: ${conversation}`,
);
