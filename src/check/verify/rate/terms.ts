import type { Certificate } from '../../certificates/certificate.ts';
import { ownSince } from '../raw/raw.ts';
import type { RawHistory } from '../raw/raw-history.ts';

/** The numbers of the rate limit with their tolerances, taken from the header again: those in the certificate are not trusted. */
export interface Terms {
  readonly max: number;
  readonly windowUs: number;
  /** The shortest and the longest window that the service may apply. */
  readonly shortUs: number;
  readonly longUs: number;
  /** How much longer a span may look to the service. */
  readonly slackUs: number;
  /** For how long, on the generator's clock, the service's clock may seem to have gone back. */
  readonly backUs: number;
  /** Whether records of the service's clock contradict one another. */
  readonly wasSet: boolean;
  readonly flushed: boolean;
  readonly ownSince: number;
  /** The error of a boundary seen at `t` when it is carried back to time 0. */
  readonly slackAt: (t: number) => number;
}

/** Multiplies and divides in the same order as the bounds, because printed values are compared with recomputed ones. */
export function termsOf({ limit }: Pick<Certificate, 'limit'>, { header, timeline }: RawHistory): Terms {
  const { driftPpm, granularityUs } = header.clock;
  const { max, windowUs } = header.limits.rate;
  const slack = granularityUs + timeline.stepUs;
  const share = driftPpm / 1e6;
  const milliPerSecond = Math.floor((max / windowUs) * 1e9 + 1e-9);
  const slowest = driftPpm === 0 && granularityUs === 0 ? windowUs : (max / milliPerSecond) * 1e9;
  return {
    max,
    windowUs,
    shortUs: windowUs * (1 - share) - slack,
    longUs: (Math.max(windowUs, slowest) + slack) / (1 - share),
    slackUs: slack,
    backUs: slack / (1 - share),
    wasSet: timeline.stepUs > 0,
    flushed: header.flushed[limit] === true,
    ownSince: ownSince(limit, header, timeline),
    slackAt: (t) => Math.abs(t) * share + slack,
  };
}
