import { kindOf } from '../kind.ts';
import { plainWord } from '../plain-word.ts';
import { refOf } from '../reference.ts';

/** Only an observation: the specification leaves open when `message` and `error` are present. */
export const turnWithoutResult = kindOf<{ turn: string; state: string; lacks: string; request: string | number }>(
  'A completed turn named no message, or a failed one no error.',
  function* ({ turns }) {
    for (const [member, state, lacks] of [
      ['completedBare', 'completed', 'message'],
      ['failedBare', 'failed', 'error'],
    ] as const) {
      for (const turn of turns.having(member)) {
        const seen = turn[member];
        if (!seen) continue;
        const data = { turn: plainWord(turn.id), state, lacks, request: refOf(seen) };
        yield { basis: 'observation', at: seen.sentAt, exchanges: [refOf(seen)], data };
      }
    }
  },
  ({ turn, state, lacks, request }) =>
    `turn ${turn} was ${state} without ${lacks === 'error' ? 'an' : 'a'} ${lacks} in the answer to request ${request}`,
);
