import { type Micros, microsFromSeconds } from '../../base/index.ts';
import type { LoadModelKind, LoadPart } from './load-model.ts';

/** A time span in which a rate changes linearly; rates in arrivals per second, ≥ 0. */
export interface RateSpan {
  readonly from: number;
  readonly to: number;
  /** ≥ 0; with 0 the rate jumps. */
  readonly seconds: number;
}

/**
 * Arrivals at a rate that changes over time: arrival k comes at the instant after which the integral of the rate exceeds k. So there
 * are none while the rate is 0. Each offset is computed from k instead of the previous offset, so that rounding errors do not
 * accumulate.
 */
function* offsetsAtRate(spans: readonly RateSpan[]): Generator<Micros> {
  const slack = slackOf(spans);
  let k = 0;
  let before = 0;
  let startSeconds = 0;
  for (const span of spans) {
    const after = before + areaOf(span);
    for (; k < after - slack; k++) yield microsFromSeconds(startSeconds + secondsUntil(span, k - before));
    before = after;
    startSeconds += span.seconds;
  }
}

/** How many offsets `offsetsAtRate` yields: the integral of the rate, rounded up. */
const countAtRate = (spans: readonly RateSpan[]): number => Math.max(0, Math.ceil(totalOf(spans) - slackOf(spans)));

const areaOf = ({ from, to, seconds }: RateSpan): number => ((from + to) / 2) * seconds;
const totalOf = (spans: readonly RateSpan[]): number => spans.reduce((sum, span) => sum + areaOf(span), 0);

/** Tolerance for floating-point errors of the integral: 20/min × 3 s is one arrival, not 1.0000000000000002. */
const slackOf = (spans: readonly RateSpan[]): number => 1e-9 * Math.max(1, totalOf(spans));

/**
 * The time t at which the integral over a span reaches `area`: solves from × t + (to − from) ÷ seconds × t² ÷ 2 = area, in a form
 * that is numerically stable if the rate hardly changes.
 */
function secondsUntil({ from, to, seconds }: RateSpan, area: number): number {
  if (area <= 0) return 0;
  const slope = (to - from) / seconds;
  const root = Math.sqrt(Math.max(0, from * from + 2 * slope * area));
  return Math.min(seconds, (2 * area) / (from + root));
}

/**
 * What the rate over time says of an open load model.
 * @param nameOf name of a part, by its index; absent: there is only one
 */
export const byRate = <Model>(
  spansOf: (model: Model) => readonly RateSpan[],
  nameOf?: (index: number) => string,
): Pick<LoadModelKind<Model>, 'arrivals' | 'count' | 'users' | 'parts'> => ({
  arrivals: (model) => offsetsAtRate(spansOf(model)),
  count: (model) => countAtRate(spansOf(model)),
  users: () => [],
  parts: (model) => partsOf(spansOf(model), nameOf),
});

/** The spans as parts of a load model. @param nameOf name of a part, by its index */
export const partsOf = (spans: readonly RateSpan[], nameOf?: (index: number) => string): LoadPart[] =>
  spans.map(({ from, to, seconds }, index) => ({
    ...(nameOf && { name: nameOf(index) }),
    durationUs: microsFromSeconds(seconds),
    level: { from: from * 60, to: to * 60 },
  }));

const digits = (most: number) => new Intl.NumberFormat('en-US', { maximumSignificantDigits: most });
const [fourDigits, sevenDigits] = [digits(4), digits(7)];

/** A rate in a readable unit: `5 per second`, `20 per minute`, `50 per day`, `none`. */
export function rateInWords(perSecond: number): string {
  if (perSecond === 0) return 'none';
  const inUnits = UNITS.map(([unit, seconds]) => ({ unit, count: perSecond * seconds })).filter(
    ({ count }) => count >= 0.9995,
  );
  const isShort = (count: number) => Math.abs(count * 100 - Math.round(count * 100)) < 1e-6;
  // Prefers a unit with at most two decimals, which is probably the one in the scenario: 50 per day, not 2.083 per hour.
  const best = inUnits.find(({ count }) => isShort(count)) ?? inUnits[0] ?? { unit: 'day', count: perSecond * 86_400 };
  return `${(best.count >= 1_000 ? sevenDigits : fourDigits).format(best.count)} per ${best.unit}`;
}

const UNITS = [
  ['second', 1],
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
] as const;
