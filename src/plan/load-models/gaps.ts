import { type Micros, type Millis, microsFromMillis, microsFromSeconds, type PerSecond } from '../../base/index.ts';
import type { LoadModelKind } from './load-model.ts';
import { partsOf } from './rate-profile.ts';

/** A load model with random gaps. */
interface GapModel {
  /** On average. */
  readonly rate: PerSecond;
  readonly duration: Millis;
}

/** Gaps between arrivals, in seconds. Each call draws a new one. */
export interface Gaps {
  /** From the start to the first arrival. */
  first(): number;
  /** From one arrival to the next. */
  next(): number;
}

/** What the gaps between arrivals say of an open load model. */
export const byGaps = <Model extends GapModel>(
  gapsOf: (model: Model, seed: number) => Gaps,
): Omit<LoadModelKind<Model>, 'describe'> => ({
  arrivals: (model, seed) => offsetsByGaps(model, gapsOf(model, seed)),
  count: (model, seed) => countByGaps(model, gapsOf(model, seed)),
  users: () => [],
  durationUs: durationOf,
  parts: ({ rate, duration }) => partsOf([{ from: rate, to: rate, seconds: duration / 1_000 }]),
});

/** Arrivals separated by the gaps, before the end of the duration. */
function* offsetsByGaps({ duration }: GapModel, gaps: Gaps): Generator<Micros> {
  const end = duration / 1_000;
  for (let at = gaps.first(); at < end; at += gaps.next()) yield microsFromSeconds(at);
}

/** Number of offsets that `offsetsByGaps` yields; draws all gaps, in constant memory. */
function countByGaps({ duration }: GapModel, gaps: Gaps): number {
  const end = duration / 1_000;
  let count = 0;
  for (let at = gaps.first(); at < end; at += gaps.next()) count++;
  return count;
}

export const durationOf = ({ duration }: GapModel): Micros => microsFromMillis(duration);
