import { plural } from '../../../base/index.ts';
import { kindOf, observed } from '../kind.ts';
import { plainWord } from '../plain-word.ts';

/** Reported once per field: a malformed field must be ignored, so nothing else is derived from it. */
export const limitFieldMalformed = kindOf<{ field: string; answers: number; first: string | number }>(
  'A header field about limits is malformed and was ignored.',
  function* ({ advice, evidence }) {
    for (const [field, { first, count }] of advice.malformed) {
      yield observed(evidence, [first], { field: plainWord(field), answers: count, first: evidence.refOf(first) });
    }
  },
  ({ field, answers, first }) =>
    `the field ${field} of ${plural(answers, 'answer')} cannot be read (first: request ${first})`,
);
