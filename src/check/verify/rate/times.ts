import { rememberedOf } from '../../../base/index.ts';
import type { Decided } from '../raw/raw.ts';
import type { Refused, Rivals } from '../raw/raw-rivals.ts';
import { countBelow, countUpTo } from '../raw/rising.ts';

/** When what may have counted began and ended, each list rising. A proof about refusals of one burst asks each of them. */
export interface Times {
  readonly begins: Float64Array;
  readonly ends: Float64Array;
}

const timesIn = (refusedToo: boolean) =>
  rememberedOf(({ from, to, refused }: Rivals): Times => {
    const counts = (_: number, i: number) => refusedToo || refused[i] === 0;
    return { begins: from.filter(counts).sort(), ends: to.filter(counts).sort() };
  });
const [timesOfAll, timesOfOthers] = [timesIn(true), timesIn(false)];

/** @param refusedToo whether those count that were certainly refused by the same limit */
export const timesOf = (rivals: Rivals, refusedToo: boolean): Times =>
  refusedToo ? timesOfAll(rivals) : timesOfOthers(rivals);

/** Whether a refusal is itself among those times. */
export const countsItself = ({ index }: Refused, { refused }: Rivals, refusedToo: boolean): boolean =>
  index >= 0 && (refusedToo || refused[index] === 0);

/**
 * Of so many neighbouring counts the most is known, so that a long interval takes a few hundred steps and not as many as it has begins.
 * A shorter one is gone through as it is.
 */
const BLOCK = 256;

/** The most that may have counted within `backUs` before one instant of [from, to]; the count rises only when a request begins. */
export function mostWithin(times: Times, { from, to }: Decided, backUs: number): number {
  const { begins } = times;
  const [first, end] = [countUpTo(begins, from), countUpTo(begins, to)];
  const most = countAt(times, from, backUs);
  if (end - first > BLOCK) return Math.max(most, mostOf(countsOf(times, backUs), first, end));
  return begins.subarray(first, end).reduce((other, t) => Math.max(other, countAt(times, t, backUs)), most);
}

/** What was over by then had begun, too. */
const countAt = ({ begins, ends }: Times, t: number, backUs: number): number =>
  countUpTo(begins, t) - countBelow(ends, t - backUs);

function mostOf({ counts, blocks }: Counts, first: number, end: number): number {
  let most = 0;
  for (let k = first; k < end; ) {
    const isWhole = k % BLOCK === 0 && k + BLOCK <= end;
    most = Math.max(most, (isWhole ? blocks[k / BLOCK] : counts[k]) as number);
    k += isWhole ? BLOCK : 1;
  }
  return most;
}

interface Counts {
  readonly backUs: number;
  /** How many count at each begin. */
  readonly counts: Int32Array;
  /** The most of every `BLOCK` of them. */
  readonly blocks: Int32Array;
}

/** Those for the last look-back. */
const lastCounts = new WeakMap<Times, Counts>();

function countsOf(times: Times, backUs: number): Counts {
  const known = lastCounts.get(times);
  if (known?.backUs === backUs) return known;
  const counts = Int32Array.from(times.begins, (t) => countAt(times, t, backUs));
  const blocks = new Int32Array(Math.ceil(counts.length / BLOCK));
  for (const [k, count] of counts.entries()) {
    const block = Math.floor(k / BLOCK);
    blocks[block] = Math.max(blocks[block] as number, count);
  }
  lastCounts.set(times, { backUs, counts, blocks });
  return { backUs, counts, blocks };
}
