export { type Batch, independentSamples } from './batch-means.ts';
export {
  CONFIDENCE,
  highestCarried,
  percentileRanks,
  type RankBounds,
  samplesForLowerBound,
  samplesForUpperBound,
  shareBounds,
} from './bounds.ts';
export {
  holmAdjusted,
  leastPairedP,
  leastUnpairedP,
  pairedShift,
  pairsNeeded,
  type Shift,
  unpairedShift,
} from './ranks.ts';
