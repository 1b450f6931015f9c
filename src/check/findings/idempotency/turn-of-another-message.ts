import type { Send } from '../gather/messages.ts';
import { kindOf } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { bySending, refOf } from '../reference.ts';
import { underOneId } from './same-message.ts';

/** Two messages, by the profile's own scope of ids, and one turn: one of them was answered with another's turn. */
export const turnOfAnotherMessage = kindOf<{ turn: string; message: string; other: string }>(
  'Two different messages were answered with one turn.',
  function* (look) {
    const groupOf = new Map<string, number>();
    const shared = new Map<string, Map<number, Send>>();
    const groups = () => enumerated(underOneId(look, 'application'));
    for (const [group, sends] of groups()) {
      for (const { turn } of sends) {
        if (turn === undefined) continue;
        const known = groupOf.get(turn);
        if (known === undefined) groupOf.set(turn, group);
        else if (known !== group) shared.set(turn, new Map());
      }
    }
    if (shared.size === 0) return;
    for (const [group, sends] of groups()) {
      for (const send of sends) {
        const firsts = shared.get(send.turn ?? '');
        if (firsts && !firsts.has(group)) firsts.set(group, send);
      }
    }
    for (const [turn, firsts] of shared) {
      const [known, other] = [...firsts.values()].sort(bySending);
      if (!known || !other) continue;
      const data = { turn: plainWord(turn), message: plainWord(known.message), other: plainWord(other.message) };
      yield { basis: 'observation', at: other.receivedAt, exchanges: [refOf(known), refOf(other)], data };
    }
  },
  ({ turn, message, other }) =>
    message === other
      ? `two messages with the id ${message}, from different users or conversations, were both answered with turn ${turn}`
      : `messages ${message} and ${other} were both answered with turn ${turn}`,
);

function* enumerated<T>(all: Iterable<T>): Generator<readonly [number, T]> {
  let number = 0;
  for (const one of all) yield [number++, one];
}
