import type { Refusal } from '../gather/refusals.ts';
import { type Found, kindOf, type Look, observed } from '../kind.ts';
import type { RetryAfter } from '../read/retry-after.ts';
import { holdersOf, limitOf, secondsIn, tolerancesOf } from './obeying.ts';

type Data = {
  limit: string;
  first: string | number;
  second: string | number;
  seconds: number;
  again: number;
  laterS: number;
};

/** The difference that two roundings to whole seconds can hide. */
const ROUNDING_US = 2e6;

/**
 * Two refusals of one block, seconds apart, with only refusals between them, and the wait is not shorter. Only an observation: if
 * refusals count, this may be intended.
 */
export const retryAfterDoesNotCountDown = kindOf<Data>(
  'Within one block of refusals, Retry-After did not become shorter as time passed.',
  function* (look) {
    const { evidence, advice, header } = look;
    if (!header.exclusive || !evidence.complete) return;
    const { refusals } = advice;
    if (!refusals.advised(({ kind }) => kind === 'seconds')) return;
    const holders = holdersOf(evidence);
    // By number of the holder, its previous refusal.
    const last = new Uint32Array(holders.size);
    const numbers = refusals.numbers();
    for (const row of evidence.order) {
      const number = numbers[row] as number;
      if (number === 0) continue;
      const holder = holders.of(row);
      const before = last[holder] as number;
      last[holder] = number;
      if (before === 0 || isShorter(refusals.retryAfter(number - 1), refusals.retryAfter(before - 1))) continue;
      const found = judge(look, refusals.at(before - 1), refusals.at(number - 1));
      if (found) yield found;
    }
  },
  ({ limit, first, second, seconds, again, laterS }) =>
    `the ${limit} limit advised ${seconds} s in the answer to request ${first}, and ${again} s in the answer to request ${second}, ${laterS} s later: it does not count down`,
);

/** The normal case. */
const isShorter = (a: RetryAfter | undefined, b: RetryAfter | undefined): boolean =>
  a?.kind !== 'seconds' || b?.kind !== 'seconds' || a.seconds < b.seconds;

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
  const data = { limit, first: one, second: other, seconds: a.seconds, again: b.seconds, laterS: secondsIn(laterUs) };
  return observed(evidence, [first.row, second.row], data);
}
