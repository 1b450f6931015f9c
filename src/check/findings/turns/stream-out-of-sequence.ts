import { kindOf } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';

export const streamOutOfSequence = kindOf<{ turn: string; sequence: number; before: number }>(
  "Events of a turn's stream came twice, or not in the order of their numbers.",
  function* ({ streams, turns }) {
    for (const { sort, turn, at, sequence = 0, before = 0 } of streams) {
      if (sort !== 'sequence') continue;
      const handshake = turns.get(turn)?.handshake;
      const exchanges = handshake ? [refOf(handshake)] : [];
      yield { basis: 'observation', at, exchanges, data: { turn: plainWord(turn), sequence, before } };
    }
  },
  ({ turn, sequence, before }) =>
    sequence === before
      ? `event ${sequence} of turn ${turn} came twice on one stream`
      : `event ${sequence} of turn ${turn} came after event ${before} on one stream`,
);
