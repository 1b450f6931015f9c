import { type LimitName, limitNames, operationIds } from '../../../api/index.ts';
import { limitBit } from '../../evidence/attribution.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Refusal } from '../gather/refusals.ts';
import type { Look } from '../kind.ts';

/** By `LimitSet`; `undefined` for sets of several limits. */
const onlyLimitIn = Array.from({ length: 2 ** limitNames.length }, (_, set) =>
  limitNames.find((limit) => limitBit[limit] === set),
);

/** The limit that refused; `undefined` if it may have been one of several. */
export const limitOf = ({ evidence }: Look, row: number): LimitName | undefined =>
  onlyLimitIn[evidence.refusedBy[row] as number];

/** A number below `size` for each row. */
export interface Holders {
  readonly of: (row: number) => number;
  readonly size: number;
}

/**
 * Numbers rows by holder: attempts with the same number are counted together under every scope, because they agree in
 * application, user, token, conversation and operation.
 */
export function holdersOf({ place, places, operation }: Evidence): Holders {
  const width = operationIds.length;
  return { of: (row) => (place[row] as number) * width + (operation[row] as number), size: (places.size + 1) * width };
}

/** By how much an honest service's clock and timers may be off over a span: drift as a fraction, and µs. */
export function tolerancesOf({ header, evidence }: Look): { readonly drift: number; readonly slackUs: number } {
  const { driftPpm, granularityUs } = header.clock;
  return { drift: driftPpm / 1e6, slackUs: granularityUs + evidence.timeline.stepUs };
}

/** Service µs since run time 0 from which on a request obeys this advice on every clock; `undefined` if it gives none. */
export function obeyedFrom(look: Look, { retryAfter, receivedAt }: Refusal): number | undefined {
  const { timeline } = look.evidence;
  const { drift, slackUs } = tolerancesOf(look);
  if (retryAfter?.kind === 'seconds')
    // Stamps are rounded down to whole microseconds.
    return timeline.at(receivedAt + 1) + (retryAfter.seconds * 1e6) / (1 - drift) + slackUs;
  if (retryAfter?.kind !== 'date') return undefined;
  const at = retryAfter.us - timeline.originUs;
  // A clock that is slow by `drift` shows it later by what it has lost since the run began.
  return Math.max(at, at / (1 - drift)) + timeline.phaseUncertaintyUs + slackUs;
}

/** Below a second with three digits, so that a short time is not told as none. */
export const secondsIn = (us: number) => Number(us < 1e6 ? (us / 1e6).toPrecision(3) : (us / 1e6).toFixed(1));

/** @param seconds from `secondsIn` */
export const toldSeconds = (seconds: number) =>
  seconds < 1 ? `${Number((seconds * 1e3).toPrecision(3))} ms` : `${seconds} s`;
