import { kindOf } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';

/** Only an observation: the specification does not list the roles, so that of a user's message need not be called `user`. */
export const historyRole = kindOf<{ turn: string; message: string; role: string; request: string | number }>(
  "The history showed a user's message under another role than `user`, or an assistant's as a user's.",
  function* ({ turns, conversations }) {
    if (conversations.size === 0) return;
    // The turn that names the message as the user's, or as the assistant's.
    const [users, assistants] = [new Map<string, string>(), new Map<string, string>()];
    for (const { id: turn, result } of turns.having('result')) {
      if (!result) continue;
      users.set(result.user, turn);
      assistants.set(result.assistant, turn);
    }
    for (const { items, pages } of conversations.values()) {
      for (const [number, { id, role }] of items.entries()) {
        const [others, own] = role === 'user' ? [assistants, users] : [users, assistants];
        const turn = others.get(id);
        // If a message is named as both, no role is expected.
        if (turn === undefined || own.has(id)) continue;
        const page = pages.find((one) => one.items.includes(number));
        if (!page) continue;
        const data = { turn: plainWord(turn), message: plainWord(id), role: plainWord(role), request: refOf(page) };
        yield { basis: 'observation', at: page.sentAt, exchanges: [refOf(page)], data };
      }
    }
  },
  ({ turn, message, role, request }) =>
    `message ${message} of turn ${turn} has the role ${role} in the answer to request ${request}`,
);
