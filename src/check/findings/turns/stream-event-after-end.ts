import { kindOf } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';

export const streamEventAfterEnd = kindOf<{ turn: string }>(
  "A turn's stream went on after the event that ended the turn.",
  function* ({ streams, turns }) {
    for (const { sort, turn, at } of streams) {
      if (sort !== 'after-end') continue;
      const handshake = turns.get(turn)?.handshake;
      yield {
        basis: 'observation',
        at,
        exchanges: handshake ? [refOf(handshake)] : [],
        data: { turn: plainWord(turn) },
      };
    }
  },
  ({ turn }) => `the stream of turn ${turn} sent another event after the one that ended the turn`,
);
