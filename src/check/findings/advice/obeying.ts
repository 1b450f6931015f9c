import type { LimitName } from '../../../api/index.ts';
import { limitsIn } from '../../attribution.ts';
import { Names, pair } from '../../columns.ts';
import type { Evidence } from '../../evidence.ts';
import type { Refusal } from '../gather/advice.ts';
import type { Look } from '../kind.ts';

/** The one limit that refused; `undefined` where it may have been another. */
export function limitOf({ evidence }: Look, row: number): LimitName | undefined {
  const limits = limitsIn(evidence.refusedBy[row] as number);
  return limits.length === 1 ? limits[0] : undefined;
}

/**
 * A number for who asked what: two attempts with one number are counted together whatever the scope of the limit is, because
 * they agree in application, user, token, conversation and operation.
 */
export function holdersOf(evidence: Evidence): (row: number) => number {
  const { application, user, token, conversation, operation } = evidence;
  const people = new Names<number>();
  const places = new Names<number>();
  const holders = new Names<number>();
  const person = (row: number) => {
    const bearer = token[row] as number;
    return people.of(bearer > 0 ? 2 * bearer + 1 : 2 * pair(user[row] as number, application[row] as number));
  };
  return (row) => holders.of(pair(places.of(pair(person(row), conversation[row] as number)), operation[row] as number));
}

/** By how much an honest service's clock and timers may be off over a span of it: drift as a fraction, and µs. */
export function tolerancesOf({ header, evidence }: Look): { readonly drift: number; readonly slackUs: number } {
  const { driftPpm, granularityUs } = header.clock;
  return { drift: driftPpm / 1e6, slackUs: granularityUs + evidence.timeline.stepUs };
}

/** Service µs since run time 0 from which a request obeys this advice, whatever the clocks; `undefined`: it gives none. */
export function obeyedFrom(look: Look, { retryAfter, receivedAt }: Refusal): number | undefined {
  const { timeline } = look.evidence;
  const { drift, slackUs } = tolerancesOf(look);
  if (retryAfter?.kind === 'seconds')
    // A stamp is rounded down to whole microseconds.
    return timeline.at(receivedAt + 1) + retryAfter.seconds * 1e6 * (1 + drift) + slackUs;
  if (retryAfter?.kind === 'date') return retryAfter.us - timeline.originUs + timeline.phaseUncertaintyUs + slackUs;
  return undefined;
}

export const secondsIn = (us: number) => Number((us / 1e6).toFixed(1));
