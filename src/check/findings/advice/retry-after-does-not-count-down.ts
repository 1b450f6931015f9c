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
    if (!advice.refusals.some(({ retryAfter }) => retryAfter?.kind === 'seconds')) return;
    const holders = holdersOf(evidence);
    // Of each holder, the refusal before, by its number from 1.
    const last = new Uint32Array(holders.size);
    const numberOf = new Uint32Array(evidence.size);
    advice.refusals.forEach(({ row }, i) => {
      numberOf[row] = i + 1;
    });
    for (const row of evidence.order) {
      const number = numberOf[row] as number;
      const refusal = advice.refusals[number - 1];
      if (!refusal) continue;
      const holder = holders.of(row);
      const before = advice.refusals[(last[holder] as number) - 1];
      last[holder] = number;
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
    at: evidence.sentAt[second.row] as number,
    exchanges: [one, other],
    data: { limit, first: one, second: other, seconds: a.seconds, again: b.seconds, laterS: secondsIn(laterUs) },
  };
}
