import { rememberedOf } from '../../../base/index.ts';
import type { Decided } from './raw.ts';
import { countUpTo } from './rising.ts';

/** Everything in a history that may have counted in one bucket of the rate limit, in columns: there may be millions. */
export interface Rivals {
  readonly size: number;
  /** Service µs since run time 0. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** 1: certainly refused by the same limit, so it counts only if refusals do. */
  readonly refused: Uint8Array;
  /** 1: certainly admitted; anything else may have been refused. */
  readonly admitted: Uint8Array;
  /** Index among the rivals of an attempt of the history (`RawAttempt.index`); −1 if it is none. */
  readonly indexOf: (attempt: number) => number;
  /** The attempt of the history behind a rival. */
  readonly attemptAt: (index: number) => number;
}

/** A refusal: when it was decided, and its index among the rivals. */
export interface Refused extends Decided {
  readonly index: number;
}

interface InOrder {
  /** Indices of rivals in the order in which they began, and these beginnings. */
  readonly order: Uint32Array;
  readonly begins: Float64Array;
  /** The latest end of those up to here. */
  readonly ends: Float64Array;
}

/** A proof about refusals of one burst asks each of them what was near. */
const inOrderOf = rememberedOf(({ size, from, to }: Rivals): InOrder => {
  const order = new Uint32Array(size).map((_, i) => i).sort((a, b) => (from[a] as number) - (from[b] as number));
  const [begins, ends] = [new Float64Array(size), new Float64Array(size)];
  for (const [k, i] of order.entries()) {
    begins[k] = from[i] as number;
    ends[k] = Math.max(ends[k - 1] ?? Number.NEGATIVE_INFINITY, to[i] as number);
  }
  return { order, begins, ends };
});

/** Everything that may have been decided between `since` and the decision on a refusal. */
export interface LookBack extends Decided {
  readonly since: number;
}

/** Indices of rivals, each once, that may have been decided within one of these, in falling order of beginnings. O(n log n) for all. */
export function* nearAny(looks: readonly LookBack[], rivals: Rivals): Generator<number> {
  const { order, begins, ends } = inOrderOf(rivals);
  const lastFirst = looks.toSorted((a, b) => b.to - a.to);
  const earliest = looks.reduce((least, { since }) => Math.min(least, since), Number.POSITIVE_INFINITY);
  // How far those look back that were decided when this rival had begun.
  let [next, since] = [0, Number.POSITIVE_INFINITY];
  const first = countUpTo(begins, lastFirst[0]?.to ?? Number.NEGATIVE_INFINITY) - 1;
  for (let k = first; k >= 0 && (ends[k] as number) >= earliest; k--) {
    const i = order[k] as number;
    for (let look = lastFirst[next]; look && look.to >= (begins[k] as number); look = lastFirst[++next])
      since = Math.min(since, look.since);
    if ((rivals.to[i] as number) >= since) yield i;
  }
}

/** Indices of rivals, except the refusal itself, that may have been decided between `since` and the refusal's decision. */
export function* near(refusal: Refused, rivals: Rivals, since: number): Generator<number> {
  for (const i of nearAny([{ ...refusal, since }], rivals)) if (i !== refusal.index) yield i;
}
