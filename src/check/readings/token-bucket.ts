import { formatCount } from '../../base/index.ts';
import { bucketRefusal, unexplainedByBucket } from '../engines/bucket.ts';
import { bucketProof, type DensityRule } from '../engines/density.ts';
import { universalOverAdmission } from '../engines/universal.ts';
import type { Bounds } from '../evidence/bounds.ts';
import type { Slice } from '../evidence/slice.ts';
import type { Reading } from '../reading.ts';
import { perWindow } from './describe.ts';

const inTheLongRun = ({ max, shortUs, slackUs }: Bounds): DensityRule => ({
  rule: 'token-bucket-density',
  // Slightly more than the quotient: two ways of dividing must not differ by a request.
  most: (spanUs) => max + Math.floor(((spanUs + slackUs) / shortUs) * max + 1e-9),
});

/**
 * A bucket of N tokens that regains N per W evenly. GCRA, a leaky bucket as a meter, and a leaky bucket as a queue (which delays what
 * it admits) admit and refuse alike when every request costs one (limits.md 1.2).
 */
export const tokenBucket: Reading<Slice> = {
  name: 'token-bucket',
  numbers: 'bucket',
  aliases: ['gcra', 'leaky-bucket', 'leaky-queue'],
  describe: (bounds, whose) =>
    `a token bucket that holds ${formatCount(bounds.max)} and regains ${perWindow(bounds, whose)} evenly`,
  overAdmission: (slice, bounds) =>
    bounds.shortUs <= 0
      ? undefined
      : (universalOverAdmission(slice, bounds) ?? bucketProof(slice, bounds, bounds.max, inTheLongRun(bounds))),
  unexplained: unexplainedByBucket,
  wrongfulRefusal: (slice, bounds, position) => bucketRefusal(slice, bounds, position, 'wrongful-refusal-token-bucket'),
};
