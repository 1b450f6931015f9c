import { formatCount } from '../../../base/index.ts';
import { kindOf, observed } from '../kind.ts';
import { plainWord } from '../plain-word.ts';

/** Reported once per code: if the profile's `errorCodes` had it, refusals could be attributed to a limit. */
export const codeUnmapped = kindOf<{ code: string; refusals: number; first: string | number }>(
  'A 429 has a code that the profile maps to no limit.',
  function* ({ advice, evidence }) {
    for (const [code, { first, count }] of advice.unmapped) {
      yield observed(evidence, [first], { code: plainWord(code), refusals: count, first: evidence.refOf(first) });
    }
  },
  ({ code, refusals, first }) =>
    `${formatCount(refusals)} ${refusals === 1 ? 'refusal has' : 'refusals have'} the code ${code} (first: request ${first}), which the profile's errorCodes map to no limit`,
);
