import type { LimitName } from '../../api/index.ts';
import type { Header } from '../../history/index.ts';
import type { Timeline } from './timeline.ts';

/** A limit in the form in which the judge applies it: the declared numbers, and how wrong the service's clock may be. */
export interface Bounds {
  /** N: requests per window. */
  readonly max: number;
  /** W, as declared, service µs. */
  readonly windowUs: number;
  /** The shortest window that an honest service may apply: W(1 − drift) − granularity, at least 0. Used for over-admission. */
  readonly shortUs: number;
  /**
   * The longest window that an honest service may apply: (W + granularity) / (1 − drift), with the rate rounded down to 1/1000
   * request per second unless the service is known to be exact. Used for refusals. Infinite if such rounding leaves a rate of 0.
   */
  readonly longUs: number;
  /** Drift as a fraction: 500 ppm is 0.0005. */
  readonly drift: number;
  /** Timer granularity and unexplained steps of the service's clock, µs. */
  readonly slackUs: number;
  /** Whether the service's clock may have been set during the run, back as well. */
  readonly wasSet: boolean;
  /** Service time at zero of the slice's axis, µs since 1970, and its uncertainty. */
  readonly originUs: number;
  readonly phaseUncertaintyUs: number;
  /** Whether refusals can be proven wrong, and from when on. */
  readonly refusals: RefusalTerms;
}

/** For how long the service's clock may seem to have gone back, as on several nodes, or if it was set; generator's µs. */
export const backUs = ({ slackUs, drift }: Bounds): number => slackUs / (1 - drift);

/**
 * How many requests of one window, or of two, have to have counted before one is refused: a sliding counter whose window began by
 * another node's clock, ahead of its own, gives the window before a share beyond all of it, rounded up.
 */
export const neededIn = (windows: 1 | 2, { max, windowUs, slackUs }: Bounds): number =>
  windows === 1 ? max : Math.floor((max - 1) / (1 + slackUs / windowUs)) + 1;

/** Whether refusals can be proven wrong at all. */
export type RefusalTerms =
  /**
   * Requests from before the run may still be decided until `sinceUs` (service time; −∞ if the limit began unspent). Refusals
   * decided before `fromUs` are not judged, because what the service counted until `sinceUs` may cause refusals until then.
   */
  | { readonly provable: true; readonly flushed: boolean; readonly sinceUs: number; readonly fromUs: number }
  | { readonly provable: false; readonly missing: readonly string[] };

/**
 * @param limit numbers of the limit; `windowUs` in service µs
 * @param whole whether the history is complete and each of its records is believable enough to be counted
 */
export function boundsOf(
  header: Header,
  timeline: Timeline,
  limit: { readonly name: LimitName; readonly max: number; readonly windowUs: number },
  whole: boolean,
): Bounds {
  const drift = header.clock.driftPpm / 1e6;
  const slackUs = header.clock.granularityUs + timeline.stepUs;
  const { max, windowUs } = limit;
  const exact = header.clock.driftPpm === 0 && header.clock.granularityUs === 0;
  const perMille = Math.floor((max / windowUs) * 1e9 + 1e-9);
  const rounded = exact || limit.name !== 'rate' ? windowUs : (max / perMille) * 1e9;
  // A window of a clock that is slow by `drift` takes W / (1 − drift), which is more than W(1 + drift). The same holds for its
  // granularity.
  const longUs = (Math.max(windowUs, rounded) + slackUs) / (1 - drift);
  return {
    max,
    windowUs,
    shortUs: Math.max(0, windowUs * (1 - drift) - slackUs),
    longUs,
    drift,
    slackUs,
    wasSet: timeline.stepUs > 0,
    originUs: timeline.originUs,
    phaseUncertaintyUs: timeline.phaseUncertaintyUs,
    refusals: termsOf(header, timeline, limit.name, longUs, whole),
  };
}

function termsOf(header: Header, timeline: Timeline, limit: LimitName, longUs: number, whole: boolean): RefusalTerms {
  const missing = [
    ...(header.exclusive ? [] : ['exclusive use of the credentials (profile: exclusive)']),
    ...(whole ? [] : ['a complete history']),
  ];
  if (missing.length > 0) return { provable: false, missing };
  if (header.flushed[limit] === true) return FLUSHED;
  // A request sent before the run may be decided as late as any other. The delay may be meant in the service's time.
  const delay = header.clock.maxServerDelayUs;
  return unflushed(Math.max(timeline.at(delay), timeline.at(0) + delay), longUs);
}

/** Nothing had been counted before the run. */
export const FLUSHED: RefusalTerms = {
  provable: true,
  flushed: true,
  sinceUs: Number.NEGATIVE_INFINITY,
  fromUs: Number.NEGATIVE_INFINITY,
};

/** A refusal is judged only after two windows of recorded, exclusive traffic. */
export const unflushed = (sinceUs: number, longUs: number): RefusalTerms => ({
  provable: true,
  flushed: false,
  sinceUs,
  fromUs: sinceUs + 2 * longUs,
});
