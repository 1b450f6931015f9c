import { inert } from '../inert.ts';
import { kindOf } from '../kind.ts';
import { refOf } from '../reference.ts';

/** The specification does not list the roles. What is told is that a user's message and an assistant's share one. */
export const historyRole = kindOf<{ turn: string; message: string; role: string; request: string | number }>(
  "The history showed a user's message under another role than `user`, or an assistant's as a user's.",
  function* ({ turns, conversations }) {
    if (conversations.size === 0) return;
    const expected = new Map<string, { readonly turn: string; readonly role: 'user' | 'assistant' }>();
    for (const { id: turn, result } of turns.having('result')) {
      if (!result) continue;
      expected.set(result.user, { turn, role: 'user' });
      expected.set(result.assistant, { turn, role: 'assistant' });
    }
    for (const { items, pages } of conversations.values()) {
      for (const [number, { id, role }] of items.entries()) {
        const known = expected.get(id);
        if (!known || (known.role === 'user') === (role === 'user')) continue;
        const page = pages.find((one) => one.items.includes(number));
        if (!page) continue;
        const data = { turn: inert(known.turn), message: inert(id), role: inert(role), request: refOf(page) };
        yield { basis: 'observation', at: page.sentAt, exchanges: [refOf(page)], data };
      }
    }
  },
  ({ turn, message, role, request }) =>
    `message ${message} of turn ${turn} has the role ${role} in the answer to request ${request}`,
);
