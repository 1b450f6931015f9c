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

/** Indices of rivals, except the refusal itself, that may have been decided between `since` and the refusal's decision. */
export function* near(refusal: Refused, rivals: Rivals, since: number): Generator<number> {
  const { order, begins, ends } = inOrderOf(rivals);
  for (let k = countUpTo(begins, refusal.to) - 1; k >= 0 && (ends[k] as number) >= since; k--) {
    const i = order[k] as number;
    if ((rivals.to[i] as number) >= since && i !== refusal.index) yield i;
  }
}
