import { kindOf } from '../kind.ts';
import { plainWord } from '../plain-word.ts';

/** Only an observation if several users chose the same identifier: the specification does not say whose conversation that is. */
export const conversationOfAnotherId = kindOf<{ asked: string; told: string; request: string | number }>(
  'A conversation was to be created or resumed by its id, and the answer named another one.',
  function* ({ answers, evidence }) {
    for (const { row, asked, told, isShared } of answers.resumedElsewhere) {
      const request = evidence.refOf(row);
      yield {
        basis: isShared ? 'observation' : 'specification',
        at: evidence.sentAt[row] as number,
        exchanges: [request],
        data: { asked: plainWord(asked), told: plainWord(told), request },
      };
    }
  },
  ({ asked, told, request }) =>
    `request ${request} asked for conversation ${asked}, and the answer names conversation ${told}`,
);
