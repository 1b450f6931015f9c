import type { OverAdmissionDraft } from '../certificates/draft.ts';
import { crowdProof, type DensityRule, logProof } from '../engines/density.ts';
import { lastWindowRefusal, unexplainedByLastWindow } from '../engines/last-window.ts';
import type { Bounds } from '../evidence/bounds.ts';
import type { Slice } from '../evidence/slice.ts';
import type { Reading } from '../reading.ts';
import { perWindow } from './describe.ts';

const atOnce = ({ max, shortUs }: Bounds): DensityRule => ({
  rule: 'sliding-log-n-plus-1',
  most: (spanUs) => (spanUs < shortUs ? max : Number.POSITIVE_INFINITY),
});

const inTheLongRun = ({ max, shortUs }: Bounds): DensityRule => ({
  rule: 'sliding-log-density',
  most: (spanUs) => max * (Math.floor(spanUs / shortUs) + 1),
});

/** N + 1 within less than a window; else more in a chain of windows than they can hold (limits.md 5.1 a, b). */
export function overfullLog(slice: Slice, bounds: Bounds): OverAdmissionDraft | undefined {
  if (bounds.shortUs <= 0) return undefined;
  return (
    crowdProof(slice, bounds.max + 1, bounds.shortUs, atOnce(bounds)) ?? logProof(slice, bounds, inTheLongRun(bounds))
  );
}

/** Admits iff fewer than N were admitted in the last W; refused requests leave no trace. */
export const slidingLog: Reading<Slice> = {
  name: 'sliding-log',
  numbers: 'window',
  aliases: ['rolling-window'],
  describe: (bounds, whose) => `a sliding log of ${perWindow(bounds, whose)}, refused requests not counted`,
  overAdmission: overfullLog,
  unexplained: unexplainedByLastWindow,
  wrongfulRefusal: lastWindowRefusal,
};
