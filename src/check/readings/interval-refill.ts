import { formatCount } from '../../base/index.ts';
import { bucketRefusal, unexplainedByBucket } from '../engines/bucket.ts';
import { bucketProof, type DensityRule } from '../engines/density.ts';
import { universalOverAdmission } from '../engines/universal.ts';
import type { Bounds } from '../evidence/bounds.ts';
import type { Slice } from '../evidence/slice.ts';
import type { Reading } from '../reading.ts';
import { perWindow } from './describe.ts';

const inTheLongRun = ({ max, shortUs, slackUs }: Bounds): DensityRule => ({
  rule: 'interval-refill-density',
  most: (spanUs) => max + 1 + Math.floor(((spanUs + slackUs) / shortUs) * max + 1e-9),
});

/**
 * A bucket of N tokens that regains one at each tick of W / N, at any phase. (A bucket that regains all N each W is a fixed
 * window.) A span L may contain one tick more than L / T, and contains at least the whole ticks in it.
 */
export const intervalRefill: Reading<Slice> = {
  name: 'interval-refill',
  numbers: 'bucket',
  aliases: ['interval-refill-per-tick', 'token-bucket-per-tick'],
  describe: (bounds, whose) =>
    `a token bucket that holds ${formatCount(bounds.max)} and regains one at each tick, ${perWindow(bounds, whose)}`,
  overAdmission: (slice, bounds) =>
    bounds.shortUs <= 0
      ? undefined
      : (universalOverAdmission(slice, bounds) ?? bucketProof(slice, bounds, bounds.max + 1, inTheLongRun(bounds))),
  unexplained: unexplainedByBucket,
  wrongfulRefusal: (slice, bounds, position) =>
    bucketRefusal(slice, bounds, position, 'wrongful-refusal-interval-refill'),
};
