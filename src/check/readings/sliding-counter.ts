import type { Draft, OverAdmissionDraft } from '../certificates/draft.ts';
import { type Admitted, admittedOf } from '../engines/admitted.ts';
import { counterConflict } from '../engines/counter-arcs.ts';
import { crowdFrom, crowds } from '../engines/crowd.ts';
import { type DensityRule, densityProof } from '../engines/density.ts';
import { irreducible } from '../engines/irreducible.ts';
import { universalOverAdmission } from '../engines/universal.ts';
import { type Bounds, backUs } from '../evidence/bounds.ts';
import type { Slice } from '../evidence/slice.ts';
import type { Reading } from '../reading.ts';
import { perWindow } from './describe.ts';
import { refusedCounted } from './refused-counted.ts';

/**
 * Within L < W at most one boundary is crossed. x requests before it and y after it, floored or not, satisfy x(1 − L / W) + y < N
 * + 2, so at most N + N·L / W + 2 are admitted, whatever the variant of the comparison.
 */
const withinOneWindow = ({ max, shortUs, slackUs }: Bounds): DensityRule => ({
  rule: 'sliding-counter-density',
  most: (spanUs) =>
    spanUs < shortUs ? max + 2 + Math.floor(((spanUs + slackUs) / shortUs) * max + 1e-9) : Number.POSITIVE_INFINITY,
});

/**
 * Where clocks of nodes differ, one may still admit for the window before when another has begun the next, whose requests did not
 * weigh these. This cannot be if more than N + 1, as no window holds, were decided before all that clocks may confuse with the last.
 */
function areWeighed({ from, to }: Admitted, members: readonly number[], bounds: Bounds): boolean {
  const back = backUs(bounds);
  const last = members.reduce((latest, i) => Math.max(latest, from[i] as number), Number.NEGATIVE_INFINITY);
  return back === 0 || members.filter((i) => (to[i] as number) <= last - back).length > bounds.max + 1;
}

/** The proof that a crowd is too many. Where it is not weighed, nor is any part of it, and what it needs is not asked. */
function crowdProof(admitted: Admitted, members: readonly number[], bounds: Bounds): OverAdmissionDraft | undefined {
  if (!areWeighed(admitted, members, bounds)) return undefined;
  const rule = withinOneWindow(bounds);
  // Of the crowd, only what the proof names is known to the verifier.
  const needed = irreducible(admitted, members, rule.most);
  return areWeighed(admitted, needed, bounds) ? densityProof(admitted, needed, rule) : undefined;
}

/** Of at most this many crowds of a size it is asked whether they prove something. */
const MOST_COMPARED = 64;

/** So many attempts at most are swept over for all sizes of crowds; of more attempts only four sizes are tried. */
const MOST_SWEPT = 100_000;

/**
 * The crowd sizes between N + 3 and 2N that are tried, as far as there are so many attempts. Each costs a sweep. None can stand for
 * another: with slow answers, N + 4 may be too many where N + 3 and N + 5 are not.
 */
function sizesFor(max: number, attempts: number): number[] {
  const [least, most] = [max + 3, Math.min(2 * max, attempts)];
  const step = (most - least + 1) * attempts <= MOST_SWEPT ? 1 : max / 4;
  const sizes: number[] = [];
  for (let more = 0; least + Math.floor(more) <= most; more += step) sizes.push(least + Math.floor(more));
  return sizes;
}

function overAdmission(slice: Slice, bounds: Bounds): Draft | undefined {
  if (bounds.shortUs <= 0) return undefined;
  const universal = universalOverAdmission(slice, bounds);
  if (universal) return universal;
  const admitted = admittedOf(slice);
  const { most } = withinOneWindow(bounds);
  for (const size of sizesFor(bounds.max, admitted.size)) {
    let proof: OverAdmissionDraft | undefined;
    let compared = 0;
    crowds(admitted, size, bounds.shortUs, (index, to) => {
      if (size <= most(to - (admitted.from[index] as number))) return false;
      proof = crowdProof(admitted, crowdFrom(admitted, index, to, size).members, bounds);
      compared += 1;
      return proof !== undefined || compared === MOST_COMPARED;
    });
    if (proof) return proof;
  }
  return counterConflict(slice, bounds, false);
}

/** Admits iff the share of the previous window that still overlaps, plus the current window's count, is below N; any phase. */
export const slidingCounter: Reading<Slice> = {
  name: 'sliding-counter',
  numbers: 'window',
  aliases: ['sliding-window-counter', 'approximated-sliding-window'],
  describe: (bounds, whose) => `a sliding counter of ${perWindow(bounds, whose)} (two weighted windows)`,
  overAdmission,
  // At most the requests of two windows weigh in, and a little more where clocks differ. Counters that count before they compare
  // include refused ones.
  ...refusedCounted(2, {
    few: 'wrongful-refusal-sliding-counter',
    first: 'wrongful-first-refusal-of-two-windows',
  }),
  inconsistent: (slice, bounds) => counterConflict(slice, bounds, true),
};
