import type { OverAdmissionDraft } from '../certificates/draft.ts';
import type { Bounds } from '../evidence/bounds.ts';
import { rememberedFor } from '../evidence/remembered.ts';
import type { Slice } from '../evidence/slice.ts';
import { bucketProof, crowdProof, type DensityRule } from './density.ts';

/** Every limiter of "N per W" admits at most 2N requests in any interval shorter than W (limits.md 1.3). */
const universalRule = ({ max, shortUs }: Pick<Bounds, 'max' | 'shortUs'>): DensityRule => ({
  rule: 'universal-2N',
  most: (spanUs) => (spanUs < shortUs ? 2 * max : Number.POSITIVE_INFINITY),
});

/**
 * A span shorter than k + 1 windows meets at most k + 2 of them, wherever they begin, and each admits at most N; a bucket that
 * regains N per W admits no more either.
 */
const universalInTheLongRun = ({ max, shortUs }: Pick<Bounds, 'max' | 'shortUs'>): DensityRule => ({
  rule: 'universal-density',
  most: (spanUs) => max * (Math.floor(spanUs / shortUs) + 2),
});

/** 2N + 1 admitted within less than a window, or more than N per window in the long run: no reading allows it. */
export const universalOverAdmission = rememberedFor(
  (slice: Slice, bounds: Bounds): OverAdmissionDraft | undefined =>
    crowdProof(slice, 2 * bounds.max + 1, bounds.shortUs, universalRule(bounds)) ??
    bucketProof(slice, bounds, 2 * bounds.max, universalInTheLongRun(bounds)),
);
