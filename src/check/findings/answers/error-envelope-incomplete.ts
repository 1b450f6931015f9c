import { plural } from '../../../base/index.ts';
import type { IncompleteKey } from '../gather/answers.ts';
import { kindOf, observed } from '../kind.ts';
import { plainWord } from '../plain-word.ts';

type Data = { status: number; code: string; lacks: readonly string[]; answers: number; first: string | number };

/** Reported once per status, code and missing members. Only an observation, because a gateway may have answered in the service's place. */
export const errorEnvelopeIncomplete = kindOf<Data>(
  'An error lacked members that the specification requires of all, or had them in another form: code, message, retryable and request_id, which is a UUID.',
  function* ({ answers, evidence }) {
    for (const [key, { first, count }] of answers.incomplete) {
      const [status, code, lacks] = JSON.parse(key) as IncompleteKey;
      const words = { code: plainWord(code), lacks: lacks.map(plainWord) };
      yield observed(evidence, [first], { status, ...words, answers: count, first: evidence.refOf(first) });
    }
  },
  ({ status, code, lacks, answers, first }) =>
    `${plural(answers, 'answer')} with status ${status} and the code ${code} had no ${lacks.join(' and no ')} of the form that the specification requires (first: request ${first})`,
);
