import type { Header } from '../history/index.ts';
import type { Timeline } from './timeline.ts';

/** A limit as a judge may hold it against a service: the declared numbers, and how far its clock may be off. */
export interface Bounds {
  /** N: how many per window. */
  readonly max: number;
  /** W, as declared, service µs. */
  readonly windowUs: number;
  /** W as short as an honest service may make it: W(1 − drift) − granularity. For over-admission. At least 0. */
  readonly shortUs: number;
  /**
   * W as long as an honest service may make it: (W + granularity) / (1 − drift), with a rate rounded down to 1/1000 request a
   * second where the service is not known to be exact. For refusals. Infinite where such a rounding leaves no rate.
   */
  readonly longUs: number;
  /** Drift as a fraction: 500 ppm is 0.0005. */
  readonly drift: number;
  /** Timer granularity and unexplained steps of the service's clock, µs. */
  readonly slackUs: number;
  /** Service time of zero on the slice's axis, µs since 1970, and how well it is known. */
  readonly originUs: number;
  readonly phaseUncertaintyUs: number;
  /** What stands in the way of proving a refusal wrong. */
  readonly refusals: RefusalTerms;
}

/** Whether refusals can be proven wrong at all. */
export type RefusalTerms =
  /**
   * Until `sinceUs` (service time; −∞ where the limit was flushed) what was sent before the run may still be decided. Refusals decided before
   * `fromUs` are not judged: what the service had counted until `sinceUs` weighs until then.
   */
  | { readonly provable: true; readonly flushed: boolean; readonly sinceUs: number; readonly fromUs: number }
  | { readonly provable: false; readonly missing: readonly string[] };

/**
 * @param limit which numbers; `windowUs` in service µs
 * @param whole whether the history is complete and every record of it believable enough to count with
 */
export function boundsOf(
  header: Header,
  timeline: Timeline,
  limit: { readonly name: 'rate' | 'concurrency' | 'daily'; readonly max: number; readonly windowUs: number },
  whole: boolean,
): Bounds {
  const drift = header.clock.driftPpm / 1e6;
  const slackUs = header.clock.granularityUs + timeline.stepUs;
  const { max, windowUs } = limit;
  const exact = header.clock.driftPpm === 0 && header.clock.granularityUs === 0;
  const perMille = Math.floor((max / windowUs) * 1e9 + 1e-9);
  const rounded = exact || limit.name !== 'rate' ? windowUs : (max / perMille) * 1e9;
  // A clock slow by `drift` takes the window's reciprocal longer, which is more than the window times (1 + drift); what its granularity
  // adds, it takes longer, too.
  const longUs = (Math.max(windowUs, rounded) + slackUs) / (1 - drift);
  return {
    max,
    windowUs,
    shortUs: Math.max(0, windowUs * (1 - drift) - slackUs),
    longUs,
    drift,
    slackUs,
    originUs: timeline.originUs,
    phaseUncertaintyUs: timeline.phaseUncertaintyUs,
    refusals: termsOf({ header, timeline }, limit.name, longUs, whole),
  };
}

function termsOf(
  { header, timeline }: { readonly header: Header; readonly timeline: Timeline },
  limit: 'rate' | 'concurrency' | 'daily',
  longUs: number,
  whole: boolean,
): RefusalTerms {
  const missing = [
    ...(header.exclusive ? [] : ['exclusive use of the credentials (profile: exclusive)']),
    ...(whole ? [] : ['a complete history']),
  ];
  if (missing.length > 0) return { provable: false, missing };
  if (header.flushed[limit] === true) return FLUSHED;
  // What was sent before the run may be decided as late as anything else. The delay may be meant in the service's time.
  const delay = header.clock.maxServerDelayUs;
  return unflushed(Math.max(timeline.at(delay), timeline.at(0) + delay), longUs);
}

/** Nothing had counted before the run. */
export const FLUSHED: RefusalTerms = {
  provable: true,
  flushed: true,
  sinceUs: Number.NEGATIVE_INFINITY,
  fromUs: Number.NEGATIVE_INFINITY,
};

/** Two windows of recorded exclusive traffic must lie before a refusal. */
export const unflushed = (sinceUs: number, longUs: number): RefusalTerms => ({
  provable: true,
  flushed: false,
  sinceUs,
  fromUs: sinceUs + 2 * longUs,
});
