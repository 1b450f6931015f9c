import type { OperationId } from '../../api/index.ts';
import { formatDuration, inertText, listed } from '../../base/index.ts';
import { type Distribution, SHORTEST_OF_CPU_US, type Summary } from '../../collect/index.ts';
import type { HealthRecord } from '../../history/index.ts';
import { few, formatCount, formatShare, plural } from '../formatters.ts';
import { cutShortText, incompleteText, isCutShort } from '../incomplete.ts';
import { percentileOf } from '../percentiles.ts';
import { describeBottleneck } from './bottlenecks.ts';

/**
 * Thresholds of warnings. From these values on, delays of the generator are comparable to typical latencies over a network, which are
 * some milliseconds. They do not make a run invalid.
 */
const WARN_FROM = { eventLoopUs: 20_000, lagUs: 10_000, cpuShare: 0.9, backlog: 1_000 } as const;

/**
 * Warnings that affect how far the numbers can be trusted: gaps in the history, answers whose meaning the profile does not say, and
 * a generator that was too slow.
 */
export function healthWarnings(summary: Summary): string[] {
  return [...gaps(summary), ...unlisted(summary), ...slowness(summary)];
}

function gaps({ run, messages, health: { unasked = 0 } }: Summary): string[] {
  return listed(
    isCutShort(run) && `the run was ${cutShortText(run)}: the numbers cover only what was sent until then`,
    !run.complete &&
      !isCutShort(run) &&
      `the history is incomplete (${incompleteText(run)}): the numbers cover only what was recorded`,
    run.missingSeq > 0 && `${plural(run.missingSeq, 'exchange')} sent but missing from the journal`,
    run.inFlightAtEnd > 0 &&
      `${plural(run.inFlightAtEnd, 'request')} sent without a recorded answer: each may have been admitted`,
    messages.unknown > 0 && `${plural(messages.unknown, 'message')} without an answer: each may have cost quota`,
    unasked > 0 &&
      `${plural(unasked, 'connection')} closed because the service sent data that no request had asked for`,
    run.serviceClock === 'assumed' &&
      run.exchanges > 0 &&
      "the service's clock is unknown: minutes and days are those of the generator's clock",
  );
}

/** What the specification leaves open and a service says otherwise than its profile, with the member that would say it. */
function unlisted(summary: Summary): string[] {
  const { unlistedStatuses = [], unlistedEvents = 0 } = summary.turns;
  const statuses = unlistedStatuses.map(({ status }) => `"${inertText(status, 20)}"`);
  // A stream is open with 101 and no other status, whatever a profile says.
  const successes = summary.errors.filter(
    ({ operation, kind, what }) => operation !== 'openStream' && kind === 'status' && /^2\d\d$/.test(what),
  );
  return listed(
    statuses.length > 0 &&
      `turns.open, completed and failed of the profile do not list the status ${few(statuses, (status) => status, 2)}`,
    unlistedEvents > 0 &&
      `stream.events of the profile does not list the names of events of streams, or they are unreadable: ${formatCount(unlistedEvents)}`,
    ...successes.map(
      ({ operation, what }) =>
        `${operation} was answered ${what}, an error unless success.${operation} of the profile lists it`,
    ),
    ...otherRefusals(summary),
  );
}

/**
 * Statuses with which middlewares and gateways refuse by default instead of 429: 503 nginx, 403 django-ratelimit and firewalls. Where
 * limits do refuse, a 503 is rather an outage; a 403 forbids, unless the same operation succeeds as well.
 */
function otherRefusals({ operations, errors, refusals }: Summary): string[] {
  if (refusals.total > 0) return [];
  const countOf = (status: string, mayRefuse: (operation: OperationId) => boolean) =>
    errors
      .filter(({ operation, kind, what }) => kind === 'status' && what === status && mayRefuse(operation))
      .reduce((sum, { count }) => sum + count, 0);
  const succeeds = (operation: OperationId) => (operations[operation]?.byOutcome.success ?? 0) > 0;
  const counts: Record<string, number> = { 403: countOf('403', succeeds), 503: countOf('503', () => true) };
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(
      ([status, count]) =>
        `${status} is an error unless errorCodes of the profile lists it in otherStatuses (and says otherBodies, if it has no code): ${formatCount(count)}`,
    );
}

/**
 * Warnings during a run, for the last interval.
 * @param intervalUs length of the interval that the record covers
 */
export function presentWarnings(
  { eventLoopP99Us, scheduleLagP99Us, cpuUs, backlog }: HealthRecord,
  intervalUs: number,
): string[] {
  const cpuShare = cpuUs === undefined || intervalUs < SHORTEST_OF_CPU_US ? 0 : cpuUs / intervalUs;
  return listed(
    eventLoopP99Us !== undefined &&
      eventLoopP99Us >= WARN_FROM.eventLoopUs &&
      `the generator's event loop is ${formatDuration(eventLoopP99Us)} late`,
    scheduleLagP99Us !== undefined &&
      scheduleLagP99Us >= WARN_FROM.lagUs &&
      `requests leave ${formatDuration(scheduleLagP99Us)} after they are due`,
    cpuShare >= WARN_FROM.cpuShare && `the generator takes ${formatShare(cpuShare, 1)} of a core`,
    backlog >= WARN_FROM.backlog && `${plural(backlog, 'record')} wait for the disk`,
  );
}

function slowness({ health }: Summary): string[] {
  const { bottlenecks = [] } = health;
  if (bottlenecks.length > 0)
    return bottlenecks.map((bottleneck) => `the generator was the bottleneck: ${describeBottleneck(bottleneck)}`);
  const { eventLoopP99MaxUs, cpuShareMax, lateReads } = health;
  const lag = lagOf(health.scheduleLag);
  return listed(
    eventLoopP99MaxUs !== undefined &&
      eventLoopP99MaxUs >= WARN_FROM.eventLoopUs &&
      `the generator's event loop was late by up to ${formatDuration(eventLoopP99MaxUs)} (p99): latencies include some of it`,
    lateReads !== undefined &&
      lateReads.decisive > 0 &&
      `${formatCount(lateReads.count)} of ${formatCount(lateReads.of)} answers may have been read up to ${formatDuration(lateReads.maxUs)} late, because the generator stood still: latencies include that`,
    lag !== undefined &&
      lag.us >= WARN_FROM.lagUs &&
      `requests left up to ${formatDuration(lag.us)} (${lag.name}) after they were due because of the generator itself`,
    cpuShareMax !== undefined &&
      cpuShareMax >= WARN_FROM.cpuShare &&
      `the generator used ${formatShare(cpuShareMax, 1)} of a core: it may be the bottleneck`,
  );
}

/** p99, or the maximum if there are too few samples for p99; `undefined` without samples. */
export function lagOf(
  lag: Distribution | undefined,
): { readonly name: 'p99' | 'max'; readonly us: number } | undefined {
  const p99 = percentileOf(lag, 'p99');
  if (p99) return { name: 'p99', us: p99.us };
  return lag && { name: 'max', us: lag.maxUs };
}
