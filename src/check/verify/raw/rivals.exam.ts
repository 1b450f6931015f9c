import type { Rivals } from './raw-rivals.ts';

/** Something that may have counted, in the form in which tests write it; admitted by default. */
export type Rival = readonly [from: number, to: number, what?: 'refused' | 'perhaps'];

export const rivalsOf = (all: readonly Rival[]): Rivals => ({
  size: all.length,
  from: Float64Array.from(all, ([from]) => from),
  to: Float64Array.from(all, ([, to]) => to),
  refused: Uint8Array.from(all, ([, , what]) => (what === 'refused' ? 1 : 0)),
  admitted: Uint8Array.from(all, ([, , what]) => (what === undefined ? 1 : 0)),
  indexOf: () => -1,
  attemptAt: (index) => index,
});

export const times = (count: number, ...rival: Rival): Rival[] => Array.from({ length: count }, () => rival);
