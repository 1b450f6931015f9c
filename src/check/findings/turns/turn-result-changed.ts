import { kindOf } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';

export const turnResultChanged = kindOf<{ turn: string; first: string | number; other: string | number }>(
  'Two answers named different messages as the result of one turn.',
  function* ({ turns }) {
    for (const { id, result, otherResult } of turns.having('result', 'otherResult')) {
      if (!result || !otherResult) continue;
      yield {
        basis: 'observation',
        at: otherResult.sentAt,
        exchanges: [refOf(result), refOf(otherResult)],
        data: { turn: plainWord(id), first: refOf(result), other: refOf(otherResult) },
      };
    }
  },
  ({ turn, first, other }) =>
    `turn ${turn} has other messages as its result in the answer to request ${other} than in the answer to request ${first}`,
);
