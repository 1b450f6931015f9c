import { Answer, type Evidence, Replay } from '../../evidence/evidence.ts';
import { type Found, kindOf, type Look, observed } from '../kind.ts';
import { type Holders, holdersOf, limitOf, secondsIn, tolerancesOf } from './obeying.ts';

type Data = { limit: string; advised: string | number; admitted: string | number; seconds: number; earlyS: number };

/** A similar request was admitted more than a second (the rounding of whole seconds) before the advised time. */
export const retryAfterTooLate = kindOf<Data>(
  'A request was admitted well before the time that Retry-After had advised.',
  function* (look) {
    const { evidence, advice } = look;
    const { refusals } = advice;
    // A second may be due to rounding: shorter advice is never too late.
    if (!refusals.advised((one) => one.kind === 'seconds' && one.seconds > 1)) return;
    const holders = holdersOf(evidence);
    const admitted = admittedByHolder(evidence, holders);
    for (let i = 0; i < refusals.size; i++) {
      const [row, advised] = [refusals.row(i), refusals.retryAfter(i)];
      if (advised?.kind !== 'seconds' || advised.seconds <= 1) continue;
      const found = judge(look, row, advised.seconds, admitted(holders.of(row)));
      if (found) yield found;
    }
  },
  ({ limit, advised, admitted, seconds, earlyS }) =>
    `request ${admitted} was admitted ${earlyS} s before the time that the ${limit} limit's Retry-After of ${seconds} s in the answer to request ${advised} had named`,
);

/** Rows that were certainly admitted and counted, by holder, rising in `from`. */
function admittedByHolder(evidence: Evidence, holders: Holders): (holder: number) => Uint32Array {
  const { order, answer, replay } = evidence;
  const isWanted = (row: number) => answer[row] === Answer.admitted && replay[row] === Replay.no;
  // Where each holder's rows begin; while they are being written, where the next one goes.
  const begins = new Uint32Array(holders.size + 1);
  for (const row of order) if (isWanted(row)) add(begins, holders.of(row) + 1);
  for (let i = 1; i < begins.length; i++) add(begins, i, begins[i - 1]);
  const next = begins.slice();
  const rows = new Uint32Array(begins[holders.size] as number);
  for (const row of order) {
    if (!isWanted(row)) continue;
    const holder = holders.of(row);
    rows[next[holder] as number] = row;
    add(next, holder);
  }
  return (holder) => rows.subarray(begins[holder], begins[holder + 1]);
}

function add(column: Uint32Array, at: number, by = 1): void {
  column[at] = (column[at] as number) + by;
}

/** @param seconds wait that the refusal in that row advised */
function judge(look: Look, row: number, seconds: number, admitted: Uint32Array): Found<Data> | undefined {
  const { evidence } = look;
  const limit = limitOf(look, row);
  if (limit === undefined) return undefined;
  const { drift, slackUs } = tolerancesOf(look);
  const notAfter = (evidence.from[row] as number) + (seconds - 1) * 1e6 * (1 - drift) - slackUs;
  const probe = firstFrom(admitted, evidence.to[row] as number, evidence.from);
  if (probe === undefined || (evidence.to[probe] as number) >= notAfter) return undefined;
  const earlyS = secondsIn(notAfter + 1e6 - (evidence.to[probe] as number));
  const data = { limit, advised: evidence.refOf(row), admitted: evidence.refOf(probe), seconds, earlyS };
  return observed(evidence, [row, probe], data);
}

/** The first of `rows` that began at `instant` or later. */
function firstFrom(rows: Uint32Array, instant: number, from: Float64Array): number | undefined {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((from[rows[middle] as number] as number) < instant) low = middle + 1;
    else high = middle;
  }
  return rows[low];
}
