import type { LimitName } from '../../api/index.ts';
import { formatCount, formatDuration, type Micros, plural } from '../../base/index.ts';
import { foreignRefusals } from '../evidence/attribution.ts';
import { Answer, type Evidence } from '../evidence/evidence.ts';
import { Part } from '../evidence/slice.ts';
import type { Judged } from '../reading.ts';
import { isScopeOpen, type LimitCase } from './limit-case.ts';

/** The texts that say what is missing for a verdict if a limit is undecided. */

/** If each known way to count is ruled out only by a proof of its own, an unknown one may be the true one. */
export function notAllRuledOut<S extends Judged>(about: LimitCase<S>): string {
  const scope = isScopeOpen(about) ? ', or the scope in the profile, with scopeKnown: true' : '';
  const example =
    about.limit === 'daily'
      ? 'whose days begin at another time than midnight in a time zone'
      : 'that regains in steps or blocks for a while after a refusal';
  return `the way in which the service counts: every known reading is ruled out, but not all by one proof, and an unknown one may be the true one, for example one ${example} (declare the reading with --declared${scope})`;
}

/** If every reading is ruled out as declared, but not in narrower buckets or with less counted, which may be the truth. */
export function exceededAsDeclared<S extends Judged>(about: LimitCase<S>): string {
  const { declared, asDeclared } = about;
  const allowed = declared === 'unknown' ? 'any reading allows' : `${declared} allows`;
  // A declared reading makes everything certain that the profile names beside it.
  const andFlag = declared === 'unknown' ? (flag: string) => `, with ${flag}: true` : () => '';
  return isScopeOpen(about)
    ? `the scope: counted per ${asDeclared.scope}, more was admitted than ${allowed}, but the service may count more narrowly (if the scope is certain, write it in the profile${andFlag('scopeKnown')})`
    : `what counts: of what may count (${asDeclared.counts}), more was admitted than ${allowed}, but the service may count less of it (if that is certain, write counts and countsReplays in the profile${andFlag('countsKnown')})`;
}

/** If more was admitted than some readings allow, but another one explains everything. @param names of the exceeded readings */
export const exceededByReading = ({ limit }: Pick<LimitCase<Judged>, 'limit'>, names: readonly string[]): string =>
  `which reading is true: ${names.join(', ')} would have refused some of what was admitted (if the service is certain to count so, declare it: --declared ${limit}=${names[0]})`;

/** A service that refuses everything shows no limit, kept or not: it exceeds nothing. */
export const NOTHING_ADMITTED = 'an admitted request: refusals alone show no limit';

/**
 * If turns were accepted and refused, but too few of them were seen in process: a stream tells when a turn ended, not that it is
 * still in process.
 */
export const seenTooLate = (max: number): string =>
  `${plural(max, 'turn')} seen in process at the same time: streams alone do not show how many were (follow turns by polls, or by both)`;

/**
 * If fewer were admitted than the limit allows, and what the history does not contain may have used the rest; or if nothing else
 * could have, but what was refused does not count.
 */
export function numberNotShown<S extends Judged>(
  { limit, bounds: { max, windowUs, refusals } }: LimitCase<S>,
  { timeline }: Evidence,
): string[] {
  if (refusals.provable && refusals.flushed) return [`a refusal of a request that the ${limit} limit counts`];
  const most = plural(max, limit === 'daily' ? 'new message' : 'request');
  return [
    `${most} admitted within ${formatDuration(windowUs as Micros)}: refusals after fewer may be due to requests that the history does not contain`,
    ...(refusals.provable
      ? [
          `a start with the limit unused (profile: flushed.${limit}), or a refusal ${wholeSeconds(refusals.fromUs - timeline.at(0 as Micros))} or more after the run's start: until then, what was sent before it may count (a load may start that late)`,
        ]
      : refusals.missing),
  ];
}

/** Rounded up, so that who waits that long has waited long enough. */
const wholeSeconds = (us: number): string => formatDuration(Math.ceil(us / 1e6) * 1e6);

/** A clock uncertainty above a tenth of a minute hides most excesses and wrong refusals. */
const TOLERABLE_US = 6_000_000;

/** If durations at the service are too uncertain to prove much, or, of a short window, anything. */
export function unsureClock<S extends Judged>({ bounds }: LimitCase<S>, { timeline }: Evidence): string[] {
  if (timeline.mayLackRecords) return ["the service's clock: records of it are missing from the history"];
  const { windowUs, shortUs, slackUs, drift } = bounds;
  const { stepUs } = timeline;
  const isHidden = windowUs > 0 && shortUs === 0;
  const granularityUs = slackUs - stepUs;
  const shortestUs = windowUs * (1 - drift);
  // A contradiction that is longer than the window hides it alone, however fine the timers are.
  const isCoarse = isHidden && (granularityUs >= shortestUs || stepUs < shortestUs);
  return [
    ...(stepUs > Math.max(TOLERABLE_US, windowUs / 10) || (isHidden && stepUs > 0)
      ? [`the service's clock: the times in its answers contradict one another by ${formatDuration(stepUs)}`]
      : []),
    ...(isCoarse
      ? [
          `the service's clock: a granularity of ${formatDuration(granularityUs)} leaves nothing certain of a window of ${formatDuration(windowUs as Micros)} (if its timers are finer, write clock: { granularity } in the profile)`,
        ]
      : []),
  ];
}

/** If no refusal shows that the limit was reached. @param attributed number of refusals that name it or can only be its own */
export function missingFor<S extends Judged>(
  { limit, bounds, asDeclared }: LimitCase<S>,
  attributed: number,
  evidence: Evidence,
): string[] {
  if (attributed > 0)
    return [`a refusal that the ${limit} limit explains: the refusals that name it do not show that it was reached`];
  const ambiguous = asDeclared.slices().some(({ part }) => Array.prototype.includes.call(part, Part.ambiguous));
  return [
    ambiguous
      ? `a refusal that is certainly by the ${limit} limit: the refusals do not say which limit refused${codesMayHelp(evidence)}`
      : notReached(limit, evidence),
    ...(bounds.refusals.provable ? [] : bounds.refusals.missing),
    ...(evidence.size === 0 ? ['exchanges'] : []),
  ];
}

/** If the limit may be a gateway's, and the profile does not say so. */
const OWN_BODIES =
  ' (where the rate limit has such bodies, write errorCodes: { otherBodies: rate } in the profile and run again)';

/** Damaged journals may show refusals in records that are no evidence. */
function notReached(limit: LimitName, evidence: Evidence): string {
  const foreign = foreignRefusals(limit, evidence);
  const mayBeOwn = limit === 'rate' && evidence.words.errorCodes.otherBodies === undefined;
  if (foreign > 0)
    return `a refusal that is certainly the service's: ${formatCount(foreign)} ${foreign === 1 ? 'has' : 'have'} a body other than the specification's error (code, message, retryable, request_id), so an intermediary may have sent ${foreign === 1 ? 'it' : 'them'}${mayBeOwn ? OWN_BODIES : ''}`;
  return Object.keys(evidence.skipped).length === 0
    ? `a refusal: the ${limit} limit was not reached`
    : `a refusal: in the records that can be used as evidence, the ${limit} limit was not reached`;
}

/** If there are codes, but the usual ones, which a service may use for any of its 429s. */
function codesMayHelp({ words, answer, unnamed }: Evidence): string {
  const isCoded = answer.some((each, row) => each === Answer.refused && unnamed[row] === 0);
  return isCoded && words.errorCodes.known === undefined
    ? ' for sure (if each error code means one limit only, write errorCodes: { known: true } in the profile)'
    : '';
}
