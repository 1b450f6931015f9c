import { holdersOf, limitOf } from '../advice/obeying.ts';
import type { Telling } from '../gather/advice.ts';
import { type Found, kindOf, type Look } from '../kind.ts';
import { limitTold } from './limit-told.ts';

type Data = { limit: string; remaining: number; told: string | number; refused: string | number; since: number };

/**
 * An answer told that `remaining` are left, no more than so many attempts, this one included, were sent since, and the limit
 * refused. The draft gives no guarantee, so that this is only told.
 */
export const remainingNotHonoured = kindOf<Data>(
  'A request was refused although an answer before it told that more were left.',
  function* (look) {
    const { evidence, advice, header } = look;
    if (!header.exclusive || !evidence.complete) return;
    const holderOf = holdersOf(evidence);
    const refused = new Set(advice.refusals.map(({ row }) => row));
    const holders = new Set(advice.refusals.map(({ row }) => holderOf(row)));
    const last = new Map<number, Telling[]>();
    const judgeRow = (row: number) => judge(look, row, last.get(holderOf(row)));
    // Records come in the order of their ends: what was told before a refusal was sent stands before it.
    let next = 0;
    for (const telling of advice.tellings()) {
      for (; (advice.refusals[next]?.row ?? Number.POSITIVE_INFINITY) <= telling.row; next++) {
        const found = judgeRow(advice.refusals[next]?.row as number);
        if (found) yield found;
      }
      if (refused.has(telling.row)) continue;
      const holder = holderOf(telling.row);
      if (!holders.has(holder)) continue;
      const known = last.get(holder);
      if (known?.[0]?.row === telling.row) known.push(telling);
      else last.set(holder, [telling]);
    }
    for (const { row } of advice.refusals.slice(next)) {
      const found = judgeRow(row);
      if (found) yield found;
    }
  },
  ({ limit, remaining, told, refused, since }) =>
    `the answer to request ${told} told that ${remaining} were left; request ${refused}, number ${since} of all that were sent after it, was refused by the ${limit} limit`,
);

function judge(look: Look, row: number, tellings: readonly Telling[] | undefined): Found<Data> | undefined {
  const { evidence, traffic } = look;
  const limit = limitOf(look, row);
  const before = tellings?.[0]?.row;
  if (limit === undefined || before === undefined || !tellings) return undefined;
  if ((evidence.to[before] as number) > (evidence.from[row] as number)) return undefined;
  // Of several policies that may be this limit's, the least of what was told holds.
  const about = tellings.filter(({ told }) => [limit, undefined].includes(limitTold(told)));
  if (!about.some(({ told }) => limitTold(told) === limit)) return undefined;
  const left = about.flatMap(({ told }) => told.remaining ?? []);
  const remaining = Math.min(...left);
  const since = traffic.within(evidence.from[before] as number, evidence.to[row] as number) - 1;
  if (left.length === 0 || left.length < about.length || since > remaining) return undefined;
  const [told, refused] = [evidence.refOf(before), evidence.refOf(row)];
  return {
    basis: 'observation',
    at: evidence.sentAt[row] as number,
    exchanges: [told, refused],
    data: { limit, remaining, told, refused, since },
  };
}
