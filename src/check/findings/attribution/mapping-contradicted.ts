import type { LimitName } from '../../../api/index.ts';
import { namesNoOther, operationIds } from '../../../api/index.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { limitOf } from '../advice/obeying.ts';
import { kindOf } from '../kind.ts';
import { plainWord } from '../plain-word.ts';

type Data = { limit: LimitName; code: string; request: string | number };

/**
 * The profile says that this code means a limit, but nothing that this limit counts can have existed: with exclusive use and an
 * empty start, no attempt of its kind was sent before. If some were sent but too few, the limit itself may be wrong, which its
 * verdict has to prove.
 */
export const mappingContradicted = kindOf<Data>(
  'A 429 has a code that the profile maps to a limit that cannot have been reached.',
  function* (look) {
    const { header, evidence, advice } = look;
    if (!header.exclusive || !evidence.complete) return;
    const firstOf = {
      rate: firstTwo(evidence, () => true),
      other: firstTwo(evidence, (row) => isMessage(evidence, row)),
    };
    const { refusals } = advice;
    for (let i = 0; i < refusals.size; i++) {
      const row = refusals.row(i);
      const limit = limitOf(look, row);
      if (limit === undefined || header.flushed[limit] !== true) continue;
      const [first, second] = limit === 'rate' ? firstOf.rate : firstOf.other;
      const before = first === row ? second : first;
      if (before !== undefined && (evidence.from[before] as number) <= (evidence.to[row] as number)) continue;
      const code = refusals.code(i);
      if (code === undefined) continue;
      const request = evidence.refOf(row);
      yield {
        // A default mapping was written by nobody.
        basis: namesNoOther(evidence.words, limit, code) ? 'profile' : 'observation',
        at: evidence.sentAt[row] as number,
        exchanges: [request],
        data: { limit, code: plainWord(code), request },
      };
    }
  },
  ({ limit, code, request }) =>
    `request ${request} was refused with the code ${code}, which the profile maps to the ${limit} limit, before anything was sent that this limit counts`,
);

const isMessage = (evidence: Evidence, row: number) =>
  operationIds[evidence.operation[row] as number] === 'sendMessage';

/** The first two such rows by the beginning of their decision: one of them may be the refusal itself. */
function firstTwo({ order }: Evidence, isOne: (row: number) => boolean): number[] {
  const found: number[] = [];
  for (const row of order) {
    if (found.length === 2) break;
    if (isOne(row)) found.push(row);
  }
  return found;
}
