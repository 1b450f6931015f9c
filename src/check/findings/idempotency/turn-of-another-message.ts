import type { Send } from '../gather/messages.ts';
import { inert } from '../inert.ts';
import { kindOf } from '../kind.ts';
import { bySending, refOf } from '../reference.ts';
import { underOneId } from './same-message.ts';

/** Two messages, by the profile's own scope of their ids, and one turn: somebody was answered with another's turn. */
export const turnOfAnotherMessage = kindOf<{ turn: string; message: string; other: string }>(
  'Two different messages were answered with one turn.',
  function* (look) {
    const first = new Map<string, { readonly send: Send; readonly group: number }>();
    const told = new Set<string>();
    const groups = [...underOneId(look)].map((sends) => sends.filter(({ outcome }) => outcome === 'accepted'));
    const accepted = groups.flatMap((sends, group) => sends.map((send) => ({ send, group })));
    for (const one of accepted.sort((a, b) => bySending(a.send, b.send))) {
      const { turn } = one.send;
      if (turn === undefined || told.has(turn)) continue;
      const known = first.get(turn);
      if (!known) first.set(turn, one);
      else if (known.group !== one.group) {
        told.add(turn);
        const data = { turn: inert(turn), message: inert(known.send.message), other: inert(one.send.message) };
        const exchanges = [refOf(known.send), refOf(one.send)];
        yield { basis: 'observation', at: one.send.receivedAt, exchanges, data };
      }
    }
  },
  ({ turn, message, other }) =>
    message === other
      ? `message ${message} of one place and of another were both answered with turn ${turn}`
      : `messages ${message} and ${other} were both answered with turn ${turn}`,
);
