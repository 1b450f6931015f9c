import { kindOf, observed } from '../kind.ts';
import { plainWord } from '../plain-word.ts';

/** Only an observation: the specification does not say that the answer repeats the rating. */
export const ratingNotTaken = kindOf<{ sent: string; told: string; success: boolean; request: string | number }>(
  'The answer to a rating has another rating, or says that it was not accepted.',
  function* ({ answers, evidence }) {
    for (const { row, sent, told, success } of answers.ratedOtherwise) {
      const data = { sent: plainWord(sent), told: plainWord(told), success, request: evidence.refOf(row) };
      yield observed(evidence, [row], data);
    }
  },
  ({ sent, told, success, request }) =>
    `the rating ${sent} of request ${request} was answered with ${told}${success ? '' : ', and success: false'}`,
);
