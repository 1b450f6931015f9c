import { operationIds } from '../../api/index.ts';
import { floatRegister, rowRegister } from './columns.ts';
import type { Messages } from './messages.ts';
import type { Rows } from './rows.ts';

const sendMessage = operationIds.indexOf('sendMessage');

/**
 * Turns of which nothing can be said: a doubtful record names them, messages of different ids were answered with them, or their end
 * was seen before their message was sent.
 * @param seenFinishedAt run time at which the end of a turn was first seen; ∞: never
 */
export function suspectTurns(
  rows: Rows,
  { again, sameId }: Pick<Messages, 'again' | 'sameId'>,
  seenFinishedAt: (turn: number) => number,
): ReadonlySet<number> {
  const { doubtful, turn, message, operation } = rows;
  const suspect = new Set<number>();
  const sentFrom = beginnings(rows, again);
  const answered = rowRegister();
  for (let row = 0; row < turn.length; row++) {
    const named = turn[row] as number;
    if (named === 0) continue;
    if (doubtful[row] === 1) suspect.add(named);
    const number = message[row] as number;
    if (number === 0 || operation[row] !== sendMessage) continue;
    const id = sameId.get(number) ?? number;
    const known = answered.get(named);
    if (known === 0) answered.set(named, id);
    if ((known !== 0 && known !== id) || seenFinishedAt(named) < sentFrom(number)) suspect.add(named);
  }
  return suspect;
}

/** When each message was first sent; −∞ if that was before the history, as all recorded attempts repeat another. */
function beginnings({ message, operation, sentAt }: Rows, again: Uint8Array): (message: number) => number {
  const from = floatRegister(Number.POSITIVE_INFINITY);
  const isFresh = rowRegister();
  for (let row = 0; row < message.length; row++) {
    const number = message[row] as number;
    if (number === 0 || operation[row] !== sendMessage) continue;
    from.set(number, Math.min(from.get(number), sentAt[row] as number));
    if (again[row] === 0) isFresh.set(number, 1);
  }
  return (number) => (isFresh.get(number) === 1 ? from.get(number) : Number.NEGATIVE_INFINITY);
}
