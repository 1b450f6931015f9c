import { formatCount } from '../../../base/index.ts';
import { kindOf } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';
import { alike, basisOfSameTurn, firstOfEachTurn, underOneId } from './same-message.ts';

/**
 * One id, one content, two turns, however the requests overlapped. The specification only says that a resend costs no quota; that
 * it returns the same turn has to be promised by the profile.
 */
export const messageOfTwoTurns = kindOf<{ message: string; turns: number }>(
  'One message, sent more than once, was accepted as more than one turn.',
  function* (look) {
    for (const sends of underOneId(look, 'conversation')) {
      for (const same of alike(sends, ({ digest }) => digest)) {
        const turns = firstOfEachTurn(same);
        const [first, second] = turns;
        if (!first || !second) continue;
        const data = { message: plainWord(first.message), turns: turns.length };
        yield {
          basis: basisOfSameTurn(look, first, second.receivedAt),
          at: second.receivedAt,
          exchanges: turns.map(refOf),
          data,
        };
      }
    }
  },
  ({ message, turns }) =>
    `message ${message}, sent again with the same content, was accepted as ${formatCount(turns)} turns`,
);
