import type { Refusal } from '../gather/refusals.ts';
import { type Found, kindOf, type Look, observed } from '../kind.ts';
import { holdersOf, limitOf, obeyedFrom, secondsIn, toldSeconds } from './obeying.ts';

type Data = { limit: string; advised: string | number; next: string | number; waitedS: number };

/**
 * The advice was obeyed, nobody sent anything meanwhile, and the same limit refused again. Only an observation: RFC 9110 calls
 * Retry-After advice, not a guarantee.
 */
export const retryAfterTooEarly = kindOf<Data>(
  'A request that obeyed Retry-After, with nothing sent meanwhile, was refused again by the same limit.',
  function* (look) {
    const { evidence, advice, header } = look;
    if (!header.exclusive || !evidence.complete) return;
    const { refusals } = advice;
    if (!refusals.advised(({ kind }) => kind !== 'unreadable')) return;
    const numbers = refusals.numbers();
    const holders = holdersOf(evidence);
    const { order } = evidence;
    for (let i = 1; i < order.length; i++) {
      const [advised, next] = [order[i - 1] as number, order[i] as number];
      const [first, second] = [numbers[advised] as number, numbers[next] as number];
      if (first === 0 || second === 0 || holders.of(advised) !== holders.of(next)) continue;
      const found = judge(look, refusals.at(first - 1), refusals.at(second - 1));
      if (found) yield found;
    }
  },
  ({ limit, advised, next, waitedS }) =>
    `request ${next} obeyed the Retry-After of request ${advised}, ${toldSeconds(waitedS)} earlier, with nothing sent meanwhile, and the ${limit} limit refused it again`,
);

function judge(look: Look, first: Refusal, second: Refusal): Found<Data> | undefined {
  const { evidence, traffic } = look;
  const limit = limitOf(look, first.row);
  const earliest = obeyedFrom(look, first);
  const sent = evidence.from[second.row] as number;
  if (limit === undefined || limit !== limitOf(look, second.row) || earliest === undefined || sent < earliest)
    return undefined;
  // If a limit has two policies, the second may have refused what the first let pass.
  const named = first.told.length > 0 && second.told.length > 0;
  if (named && !first.told.some(({ policy }) => second.told.some((other) => other.policy === policy))) return undefined;
  const from = evidence.from[first.row] as number;
  if (traffic.within(from, evidence.to[second.row] as number) !== 2) return undefined;
  const [advised, next] = [evidence.refOf(first.row), evidence.refOf(second.row)];
  return observed(evidence, [first.row, second.row], { limit, advised, next, waitedS: secondsIn(sent - from) });
}
