import { Answer, type Evidence } from '../../evidence.ts';
import type { Refusal } from '../gather/advice.ts';
import { type Found, kindOf, type Look } from '../kind.ts';
import { holdersOf, limitOf, secondsIn, tolerancesOf } from './obeying.ts';

type Data = { limit: string; advised: string | number; admitted: string | number; seconds: number; earlyS: number };

/** A like request was admitted more than a second (the rounding of whole seconds) before the advised time. */
export const retryAfterTooLate = kindOf<Data>(
  'A request was admitted well before the time that Retry-After had advised.',
  function* (look) {
    const { evidence, advice } = look;
    const holderOf = holdersOf(evidence);
    const admitted = admittedByHolder(evidence, holderOf);
    for (const refusal of advice.refusals) {
      const found = judge(look, refusal, admitted.get(holderOf(refusal.row)) ?? []);
      if (found) yield found;
    }
  },
  ({ limit, advised, admitted, seconds, earlyS }) =>
    `request ${admitted} was admitted ${earlyS} s before the time that the ${limit} limit's Retry-After of ${seconds} s in the answer to request ${advised} had named`,
);

/** Rows of what was surely admitted and counted, rising in `from`. */
function admittedByHolder(evidence: Evidence, holderOf: (row: number) => number): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  for (const row of evidence.order) {
    if (evidence.answer[row] !== Answer.admitted || evidence.replay[row] === 1) continue;
    const holder = holderOf(row);
    const known = rows.get(holder);
    if (known) known.push(row);
    else rows.set(holder, [row]);
  }
  return rows;
}

function judge(look: Look, refusal: Refusal, admitted: readonly number[]): Found<Data> | undefined {
  const { evidence } = look;
  const { row, retryAfter } = refusal;
  const limit = limitOf(look, row);
  if (limit === undefined || retryAfter?.kind !== 'seconds') return undefined;
  const { drift, slackUs } = tolerancesOf(look);
  const { seconds } = retryAfter;
  const notAfter = (evidence.from[row] as number) + (seconds - 1) * 1e6 * (1 - drift) - slackUs;
  const probe = firstFrom(admitted, evidence.to[row] as number, evidence.from);
  if (probe === undefined || (evidence.to[probe] as number) >= notAfter) return undefined;
  const [advised, early] = [evidence.refOf(row), evidence.refOf(probe)];
  return {
    basis: 'observation',
    at: evidence.sentAt[probe] as number,
    exchanges: [advised, early],
    data: {
      limit,
      advised,
      admitted: early,
      seconds,
      earlyS: secondsIn(notAfter + 1e6 - (evidence.to[probe] as number)),
    },
  };
}

/** The first of `rows` that began at `instant` or later. */
function firstFrom(rows: readonly number[], instant: number, from: Float64Array): number | undefined {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((from[rows[middle] as number] as number) < instant) low = middle + 1;
    else high = middle;
  }
  return rows[low];
}
