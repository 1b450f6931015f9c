import type { OverAdmissionRule } from '../certificates/certificate.ts';
import type { OverAdmissionDraft } from '../certificates/draft.ts';
import type { Bounds } from '../evidence/bounds.ts';
import { rememberedFor } from '../evidence/remembered.ts';
import type { Slice } from '../evidence/slice.ts';
import { type Admitted, admittedOf, relaxed, unnested } from './admitted.ts';
import { tightCrowd } from './crowd.ts';
import { irreducible, spanOf } from './irreducible.ts';
import { crowdedLog, indicesOf, overdrawnBucket, type Stretch } from './spacing.ts';

/** A rule of the form "within a span of L µs the reading admits at most m(L)". */
export interface DensityRule {
  readonly rule: OverAdmissionRule;
  readonly most: (spanUs: number) => number;
}

/** The proof that `members` are too many, reduced to those that it needs. `undefined` if they are not too many. */
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

/** Where a log of N per window finds stretches too dense, by both ways of `stretchProof`. */
const denseFor = rememberedFor((slice: Slice, bounds: Bounds) => {
  const admitted = admittedOf(slice);
  const find = (agreeable: Admitted) => crowdedLog(agreeable, bounds.max, bounds.shortUs);
  const wide = find(relaxed(admitted));
  return { wide, narrow: admitted.agreeable ? wide : find(unnested(admitted)) };
});

/** The proof that a log of N per window holds too many in the long run (limits.md 5.1 b). */
export function logProof(slice: Slice, bounds: Bounds, rule: DensityRule): OverAdmissionDraft | undefined {
  const { wide, narrow } = denseFor(slice, bounds);
  return proofFrom(slice, wide, narrow, rule);
}

/**
 * The proof that a bucket of at least N tokens, which regains N per window, is overdrawn (limits.md 5.2). A schedule that a log
 * keeps, a bucket keeps: so the search is skipped if no stretch is too dense for a log.
 * @param capacity N or more
 */
export function bucketProof(
  slice: Slice,
  bounds: Bounds,
  capacity: number,
  rule: DensityRule,
): OverAdmissionDraft | undefined {
  const dense = denseFor(slice, bounds);
  if (!dense.wide && !dense.narrow) return undefined;
  const { max, shortUs, slackUs } = bounds;
  return stretchProof(slice, (agreeable) => overdrawnBucket(agreeable, capacity, shortUs / max, slackUs), rule);
}

/**
 * A stretch that some greedy schedule finds too dense: among all attempts with relaxed ends, or among those whose interval
 * contains no other. Each finds what the other blurs or drops.
 */
function stretchProof(
  slice: Slice,
  find: (agreeable: Admitted) => Stretch | undefined,
  rule: DensityRule,
): OverAdmissionDraft | undefined {
  const admitted = admittedOf(slice);
  const wide = find(relaxed(admitted));
  return proofFrom(slice, wide, undefined, rule) ?? proofFrom(slice, undefined, find(unnested(admitted)), rule);
}

/** @param wide computed from all attempts; `narrow` from those whose interval contains no other */
function proofFrom(
  slice: Slice,
  wide: Stretch | undefined,
  narrow: Stretch | undefined,
  rule: DensityRule,
): OverAdmissionDraft | undefined {
  const admitted = admittedOf(slice);
  const proof = wide && densityProof(admitted, indicesOf(wide), rule);
  return proof ?? (narrow && densityProof(unnested(admitted), indicesOf(narrow), rule));
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
