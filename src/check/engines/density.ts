import type { OverAdmissionRule } from '../certificate.ts';
import type { OverAdmissionDraft } from '../draft.ts';
import type { Slice } from '../slice.ts';
import { type Admitted, admittedOf, relaxed, unnested } from './admitted.ts';
import { tightCrowd } from './crowd.ts';
import { irreducible } from './irreducible.ts';
import { indicesOf, type Stretch } from './spacing.ts';

/** "Within a span of so many µs at most so many": what a rule of this kind says of a reading. */
export interface DensityRule {
  readonly rule: OverAdmissionRule;
  readonly most: (spanUs: number) => number;
}

/** The proof that `members` are too many, without those that it does not need. `undefined` when they are not. */
export function densityProof(
  admitted: Admitted,
  members: readonly number[],
  { rule, most }: DensityRule,
): OverAdmissionDraft | undefined {
  const needed = irreducible(admitted, members, most);
  const span = spanOf(admitted, needed);
  const possible = most(span);
  if (needed.length <= possible) return undefined;
  const positions = needed.map((member) => admitted.position[member] as number).sort((a, b) => a - b);
  return { rule, because: 'over-admission', observed: needed.length, possible, positions };
}

/**
 * A stretch that some greedy schedule finds too dense: among all attempts with ends relaxed until they rise, else among those
 * that hold no other. Each catches what the other blurs or drops.
 */
export function stretchProof(
  slice: Slice,
  find: (agreeable: Admitted) => Stretch | undefined,
  rule: DensityRule,
): OverAdmissionDraft | undefined {
  const admitted = admittedOf(slice);
  const wide = find(relaxed(admitted));
  const proof = wide && densityProof(admitted, indicesOf(wide), rule);
  if (proof) return proof;
  const fewer = unnested(admitted);
  const narrow = find(fewer);
  return narrow && densityProof(fewer, indicesOf(narrow), rule);
}

/** `size` attempts decided within less than `withinUs`. */
export function crowdProof(
  slice: Slice,
  size: number,
  withinUs: number,
  rule: DensityRule,
): OverAdmissionDraft | undefined {
  const admitted = admittedOf(slice);
  const crowd = tightCrowd(admitted, size, withinUs);
  return crowd && densityProof(admitted, crowd.members, rule);
}

function spanOf(admitted: Admitted, members: readonly number[]): number {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const member of members) {
    from = Math.min(from, admitted.from[member] as number);
    to = Math.max(to, admitted.to[member] as number);
  }
  return to - from;
}
