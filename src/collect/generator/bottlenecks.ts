import type { Micros } from '../../base/index.ts';
import type { GeneratorLimits } from '../../history/index.ts';
import type { Bottleneck, Distribution, JourneySummary, Summary } from '../summary.ts';

/** Failures caused by the generator's own machine, which has run out of files, ports or memory. */
const LOCAL_FAILURES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM']);

/** With fewer requests, a brief hiccup of the machine could dominate: no lag is judged. */
const FEWEST = 30;
/** The share of answers that may be read late: more of them determine the 95th percentile. */
const LATE_READS = 0.05;
/** With fewer health intervals (seconds), a typical delay cannot be determined. */
const FEWEST_INTERVALS = 3;

/**
 * Where the generator, not the service, determined the result. Lag and delay decide, not CPU time, which a pacing loop may use up
 * by waiting. Each is compared with the run's threshold or, if longer, with the service's own time at the same percentile: a lag
 * that is small beside the service's own time changes no conclusion. What the measured time may contain of the event loop's delay
 * is not the service's own: otherwise the later the loop, the later it might be. Percentiles are compared by their lower 95 % confidence
 * bound, so that a hiccup of the machine does not count as an overloaded generator.
 */
export function bottlenecksOf(
  { health, total, drops, journeys, errors }: Pick<Summary, 'health' | 'total' | 'drops' | 'journeys' | 'errors'>,
  limits: GeneratorLimits,
): Bottleneck[] {
  const service: Service = {
    measured: total.latency.answers?.service,
    loopUs: Math.max(health.eventLoopTypicalUs ?? 0, health.eventLoopWaitUs ?? 0),
    lateShare: shareOf(health.lateReads?.count, health.lateReads?.of),
  };
  const lag = health.worstLag?.scheduleLag ?? health.scheduleLag;
  const late = drops.byReason.late ?? 0;
  // Without the warm-up, like the drops.
  const arrivals = drops.total + Object.values(journeys).reduce((sum, { byOutcome }) => sum + countOf(byOutcome), 0);
  const lateShare = late / Math.max(1, arrivals);
  const isJudged = total.count >= FEWEST;
  return [
    ...(isJudged ? over('p50', lag, limits.medianLagUs, service) : []),
    ...(isJudged ? over('p99', lag, limits.p99LagUs, service) : []),
    ...(isJudged && health.intervals >= FEWEST_INTERVALS * (health.workers ?? 1)
      ? [
          ...delayed('event-loop', health.eventLoopTypicalUs, limits.eventLoopUs, service),
          ...delayed('standstill', health.eventLoopWaitUs, limits.eventLoopUs, service),
        ]
      : []),
    ...(isJudged ? readLate(health.lateReads) : []),
    ...(lateShare > limits.lateShare
      ? [{ what: 'late-drops', count: late, of: arrivals, allowedShare: limits.lateShare } as const]
      : []),
    ...errors.flatMap(({ kind, what, count }) =>
      kind === 'failure' && LOCAL_FAILURES.has(what) ? [{ what: 'local-failure', failure: what, count } as const] : [],
    ),
  ];
}

const countOf = ({ completed, stopped, interrupted }: JourneySummary['byOutcome']): number =>
  completed + stopped + interrupted;

/** The measured service time, and how much of it the event loop may have added. */
interface Service {
  readonly measured: Distribution | undefined;
  readonly loopUs: number;
  /** The share of answers that were read late. */
  readonly lateShare: number;
}

const shareOf = (part = 0, whole = 0): number => part / Math.max(1, whole);

function readLate(late: Summary['health']['lateReads']): Bottleneck[] {
  if (shareOf(late?.decisive, late?.of) <= LATE_READS || late === undefined) return [];
  return [{ what: 'late-reads', count: late.decisive, of: late.of, allowedShare: LATE_READS }];
}

function over(
  percentile: 'p50' | 'p99',
  lag: Distribution | undefined,
  allowed: Micros,
  service: Service,
): Bottleneck[] {
  const observed = lag?.percentiles[percentile];
  if (observed === undefined || !('us' in observed)) return [];
  const allowedUs = allowance(allowed, percentile, service);
  const surelyUs = observed.bounds.lowUs;
  return surelyUs !== undefined && surelyUs > allowedUs
    ? [{ what: 'lag', percentile, us: observed.us, allowedUs }]
    : [];
}

function delayed(
  what: 'event-loop' | 'standstill',
  us: Micros | undefined,
  allowed: Micros,
  service: Service,
): Bottleneck[] {
  const allowedUs = allowance(allowed, 'p50', service);
  return us !== undefined && us > allowedUs ? [{ what, us, allowedUs }] : [];
}

function allowance(allowed: Micros, percentile: 'p50' | 'p99', { measured, loopUs, lateShare }: Service): Micros {
  const took = measured?.percentiles[percentile];
  // So many are read late that the percentile may be one of them: how long the service itself takes is then unknown.
  if (lateShare >= (percentile === 'p99' ? 0.01 : 0.5)) return allowed;
  return took !== undefined && 'us' in took ? (Math.max(allowed, took.us - loopUs) as Micros) : allowed;
}
