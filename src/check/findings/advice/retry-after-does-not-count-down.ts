import type { Refusal } from '../gather/advice.ts';
import { type Found, kindOf, type Look } from '../kind.ts';
import { holdersOf, limitOf, secondsIn, tolerancesOf } from './obeying.ts';

type Data = {
  limit: string;
  first: string | number;
  second: string | number;
  seconds: number;
  again: number;
  laterS: number;
};

/** What two roundings to whole seconds can hide. */
const ROUNDING_US = 2e6;

/**
 * Two refusals of one block, seconds apart, nothing but refusals between them, and the wait is not shorter. Where refusals
 * count, it may be meant so; it is only told.
 */
export const retryAfterDoesNotCountDown = kindOf<Data>(
  'Within one block of refusals, Retry-After did not become shorter as time passed.',
  function* (look) {
    const { evidence, advice, header } = look;
    if (!header.exclusive || !evidence.complete) return;
    const holderOf = holdersOf(evidence);
    const last = new Map<number, Refusal>();
    const { from } = evidence;
    const rising = [...advice.refusals].sort(
      (a, b) => (from[a.row] as number) - (from[b.row] as number) || a.row - b.row,
    );
    for (const refusal of rising) {
      const holder = holderOf(refusal.row);
      const before = last.get(holder);
      last.set(holder, refusal);
      const found = before && judge(look, before, refusal);
      if (found) yield found;
    }
  },
  ({ limit, first, second, seconds, again, laterS }) =>
    `the ${limit} limit advised ${seconds} s in the answer to request ${first}, and ${again} s in the answer to request ${second}, ${laterS} s later: it does not count down`,
);

function judge(look: Look, first: Refusal, second: Refusal): Found<Data> | undefined {
  const { evidence, traffic } = look;
  const limit = limitOf(look, first.row);
  if (limit === undefined || limit !== limitOf(look, second.row)) return undefined;
  const [a, b] = [first.retryAfter, second.retryAfter];
  if (a?.kind !== 'seconds' || b?.kind !== 'seconds' || b.seconds < a.seconds) return undefined;
  const { from, to } = evidence;
  const laterUs = (from[second.row] as number) - (to[first.row] as number);
  const { drift, slackUs } = tolerancesOf(look);
  const before = (to[second.row] as number) < (from[first.row] as number) + a.seconds * 1e6 * (1 - drift) - slackUs;
  if (laterUs < ROUNDING_US + slackUs || !before) return undefined;
  if (traffic.notRefusedWithin(from[first.row] as number, to[second.row] as number) > 0) return undefined;
  const [one, other] = [evidence.refOf(first.row), evidence.refOf(second.row)];
  return {
    basis: 'observation',
    at: second.sentAt,
    exchanges: [one, other],
    data: { limit, first: one, second: other, seconds: a.seconds, again: b.seconds, laterS: secondsIn(laterUs) },
  };
}
