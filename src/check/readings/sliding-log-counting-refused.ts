import { admittedAmongAttempts } from '../engines/attempts.ts';
import type { Slice } from '../evidence/slice.ts';
import type { Reading } from '../reading.ts';
import { perWindow } from './describe.ts';
import { refusedCounted } from './refused-counted.ts';
import { overfullLog } from './sliding-log.ts';

/** Admits iff fewer than N were attempted in the last W: a client that polls steadily above the rate stays locked out. */
export const slidingLogCountingRefused: Reading<Slice> = {
  name: 'sliding-log-counting-refused',
  numbers: 'window',
  aliases: ['sliding-log-attempts'],
  describe: (bounds, whose) => `a sliding log of ${perWindow(bounds, whose)} in which refused requests count too`,
  overAdmission: (slice, bounds) => overfullLog(slice, bounds) ?? admittedAmongAttempts(slice, bounds),
  ...refusedCounted(1, { few: 'wrongful-refusal-counting-refused', first: 'wrongful-first-refusal' }),
};
