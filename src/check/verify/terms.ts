import type { Certificate } from '../certificate.ts';
import type { RawHistory } from './certificate.ts';
import { ownSince } from './raw.ts';

/** The numbers of the rate limit with their tolerances, from the header again: the certificate is not believed. */
export interface Terms {
  readonly max: number;
  readonly windowUs: number;
  /** The window as short and as long as the service may make it. */
  readonly shortUs: number;
  readonly longUs: number;
  /** By how much a span may look longer to the service. */
  readonly slackUs: number;
  readonly flushed: boolean;
  readonly ownSince: number;
  /** By how much a boundary seen at `t` may be off when it is carried back to time 0. */
  readonly slackAt: (t: number) => number;
}

/** Multiplied and divided in the order in which the bounds are: what is printed is compared with what is counted again. */
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
    flushed: header.flushed[limit] === true,
    ownSince: ownSince(limit, header, timeline),
    slackAt: (t) => Math.abs(t) * share + slack,
  };
}
