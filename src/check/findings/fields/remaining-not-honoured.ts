import type { LimitName } from '../../../api/index.ts';
import { formatCount } from '../../../base/index.ts';
import { Answer } from '../../evidence/evidence.ts';
import { holdersOf, limitOf, tolerancesOf } from '../advice/obeying.ts';
import { type Found, kindOf, type Look, observed } from '../kind.ts';
import type { Told } from '../read/told.ts';
import { limitTold } from './limit-told.ts';

type Data = { limit: string; remaining: number; told: string | number; refused: string | number; since: number };

/**
 * An answer said that `remaining` are left, at most so many attempts (including this one) were sent since, and the limit refused.
 * Only an observation, because the draft gives no guarantee.
 */
export const remainingNotHonoured = kindOf<Data>(
  'A request was refused although an earlier answer said that more were left.',
  function* (look) {
    const { evidence, advice, header } = look;
    if (!header.exclusive || !evidence.complete) return;
    const { tellings, refusals } = advice;
    if (refusals.size === 0 || tellings.size === 0) return;
    const holders = holdersOf(evidence);
    // By holder, the row of the last answer with limit fields that was no refusal, from 1.
    const last = new Uint32Array(holders.size);
    // Records are in the order of their ends, so answers before the sending of a refusal stand before it.
    let next = 0;
    for (let i = 0; i < refusals.size; i++) {
      const row = refusals.row(i);
      for (; next < row; next++) {
        if (evidence.answer[next] !== Answer.refused && tellings.told(next).length > 0)
          last[holders.of(next)] = next + 1;
      }
      const before = (last[holders.of(row)] as number) - 1;
      const found = before < 0 ? undefined : judge(look, row, before, tellings.told(before));
      if (found) yield found;
    }
  },
  ({ limit, remaining, told, refused, since }) =>
    `the answer to request ${told} said that ${formatCount(remaining)} ${remaining === 1 ? 'was' : 'were'} left; request ${refused}, number ${formatCount(since)} of the requests sent after it, was refused by the ${limit} limit`,
);

/** @param before row of the last answer with limit fields before the refusal, and its numbers */
function judge(look: Look, row: number, before: number, tellings: readonly Told[]): Found<Data> | undefined {
  const { evidence, traffic } = look;
  const limit = limitOf(look, row);
  const remaining = limit === undefined ? 0 : leftOf(limit, tellings, look);
  // The normal case: nothing was left.
  if (limit === undefined || remaining < 1) return undefined;
  const [from, to] = [evidence.from[before] as number, evidence.to[row] as number];
  if ((evidence.to[before] as number) > (evidence.from[row] as number)) return undefined;
  const since = traffic.within(from, to) - 1;
  if (since > remaining) return undefined;
  if (tellings.some((one) => mayBe(limit, one, look) && isOver(look, before, row, one))) return undefined;
  const [told, refused] = [evidence.refOf(before), evidence.refOf(row)];
  return observed(evidence, [before, row], { limit, remaining, told, refused, since });
}

const mayBe = (limit: LimitName, told: Told, { header }: Look): boolean =>
  [limit, undefined].includes(limitTold(told, header));

/**
 * The lowest remaining number of all policies that may be this limit's; 0 if one of them gives none, or if none is certainly this
 * limit's.
 */
function leftOf(limit: LimitName, tellings: readonly Told[], { header }: Look): number {
  let [least, isTold] = [Number.POSITIVE_INFINITY, false];
  for (const told of tellings) {
    const about = limitTold(told, header);
    if (about !== limit && about !== undefined) continue;
    least = Math.min(least, told.remaining ?? 0);
    isTold ||= about === limit;
  }
  return isTold ? least : 0;
}

/** Whether another window may have begun by then, which others may have used up already. */
function isOver(look: Look, before: number, row: number, { resetSeconds }: Told): boolean {
  if (resetSeconds === undefined) return false;
  const { drift, slackUs } = tolerancesOf(look);
  const { from, to } = look.evidence;
  return (to[row] as number) >= (from[before] as number) + (resetSeconds - 1) * 1e6 * (1 - drift) - slackUs;
}
