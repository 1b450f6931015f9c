import { type Micros, microsFromSeconds } from '../../base/index.ts';
import type { LoadPart } from './load-model.ts';

/** A stretch of time over which a rate changes evenly; rates in events per second, ≥ 0. */
export interface RateStretch {
  readonly from: number;
  readonly to: number;
  /** ≥ 0; 0 is a jump. */
  readonly seconds: number;
}

/**
 * Arrivals at a rate that changes with time: arrival k comes when the integral of the rate over time exceeds k, so that no
 * arrival comes while the rate is 0. Each offset is computed from k rather than added up: rounding never accumulates.
 */
export function* offsetsAtRate(stretches: readonly RateStretch[]): Generator<Micros> {
  const slack = slackOf(stretches);
  let k = 0;
  let before = 0;
  let startSeconds = 0;
  for (const stretch of stretches) {
    const after = before + areaOf(stretch);
    for (; k < after - slack; k++) yield microsFromSeconds(startSeconds + secondsUntil(stretch, k - before));
    before = after;
    startSeconds += stretch.seconds;
  }
}

/** How many offsets `offsetsAtRate` yields: the integral of the rate, rounded up. */
export const countAtRate = (stretches: readonly RateStretch[]): number =>
  Math.max(0, Math.ceil(totalOf(stretches) - slackOf(stretches)));

const areaOf = ({ from, to, seconds }: RateStretch): number => ((from + to) / 2) * seconds;
const totalOf = (stretches: readonly RateStretch[]): number =>
  stretches.reduce((sum, stretch) => sum + areaOf(stretch), 0);

/** What floating point may add to a whole integral: 20/min × 3 s is one arrival, not 1.0000000000000002. */
const slackOf = (stretches: readonly RateStretch[]): number => 1e-9 * Math.max(1, totalOf(stretches));

/**
 * When the integral over a stretch reaches `area`: from × t + (to − from) ÷ seconds × t² ÷ 2 = area, solved for t in the form
 * that loses no digits where the rate hardly changes.
 */
function secondsUntil({ from, to, seconds }: RateStretch, area: number): number {
  if (area <= 0) return 0;
  const slope = (to - from) / seconds;
  const root = Math.sqrt(Math.max(0, from * from + 2 * slope * area));
  return Math.min(seconds, (2 * area) / (from + root));
}

/** Stretches as parts of a load model. @param nameOf their names by index */
export const partsOf = (stretches: readonly RateStretch[], nameOf?: (index: number) => string): LoadPart[] =>
  stretches.map(({ from, to, seconds }, index) => ({
    ...(nameOf && { name: nameOf(index) }),
    durationUs: microsFromSeconds(seconds),
    level: { from: from * 60, to: to * 60 },
  }));

/** A rate in the unit in which people say it: `5 per second`, `20 per minute`, `50 per day`, `none`. */
export function rateInWords(perSecond: number): string {
  if (perSecond === 0) return 'none';
  const inUnits = UNITS.map(([unit, seconds]) => ({ unit, count: perSecond * seconds })).filter(
    ({ count }) => count >= 0.9995,
  );
  const isShort = (count: number) => Math.abs(count * 100 - Math.round(count * 100)) < 1e-6;
  // 50 a day is 2.083 an hour: the unit in which it was written is the one that needs no third decimal.
  const said = inUnits.find(({ count }) => isShort(count)) ?? inUnits[0] ?? { unit: 'day', count: perSecond * 86_400 };
  return `${Number(said.count.toPrecision(said.count >= 1_000 ? 7 : 4))} per ${said.unit}`;
}

const UNITS = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const;
