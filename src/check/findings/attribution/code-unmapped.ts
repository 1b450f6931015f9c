import { kindOf } from '../kind.ts';
import { plainWord } from '../plain-word.ts';

/** Reported once per code: if the profile's `errorCodes` had it, refusals could be attributed to a limit. */
export const codeUnmapped = kindOf<{ code: string; refusals: number; first: string | number }>(
  'A 429 has a code that the profile maps to no limit.',
  function* ({ advice, evidence }) {
    for (const [code, { first, count }] of advice.unmapped) {
      const request = evidence.refOf(first);
      const data = { code: plainWord(code), refusals: count, first: request };
      yield { basis: 'observation', at: evidence.sentAt[first] as number, exchanges: [request], data };
    }
  },
  ({ code, refusals, first }) =>
    `${refusals} ${refusals === 1 ? 'refusal has' : 'refusals have'} the code ${code} (first: request ${first}), which the profile's errorCodes map to no limit`,
);
