import { createHistogram, PerformanceObserver, type RecordableHistogram } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, type Micros, microsFromMillis, STANDSTILL_US } from '../../base/index.ts';
import { ScheduleLag } from '../../collect/index.ts';
import type { Exchange, HealthRecord } from '../../history/index.ts';
import { LagCounts } from './lag-counts.ts';

/** Measures the generator itself, so that its own delays are not attributed to the service. */
interface HealthMonitor {
  /** Adds the schedule lag of an exchange to the current interval. */
  observe(exchange: Exchange): void;
  /** See `Exchange.readLateUs`; asked for in the turn of the loop in which the answer was read. */
  readLateUs(exchange: Pick<Exchange, 'sentAt' | 'receivedAt'>): Micros | undefined;
  /** Reports a record each second. Resolves when `signal` is aborted. */
  run(signal: AbortSignal, record: (record: HealthRecord) => void): Promise<void>;
  /** The median schedule lag of the last interval if it exceeds the allowed one; otherwise `undefined`. */
  behindUs(): Micros | undefined;
}

const INTERVAL_US = 1_000_000;
/** Period of the timer that samples the event loop's delay. The measured values include it; `delayOf` subtracts it. */
const RESOLUTION_MS = 10;
/** Turns of the loop after which a timer that was due has fired, whichever phase of the loop the first one begins in. */
const TURNS_TO_SAMPLE = 2;

/**
 * If the record that ends the warm-up is late by less, µs, its interval ends with the warm-up; otherwise a standstill goes on beyond
 * it.
 */
const TIMER_LATE_US = 100_000;

/** Values that are read at the end of each interval. */
interface Watched {
  /** Records not yet on disk. */
  backlog(): number;
  /** The most requests that waited for a connection at once, since the last call. */
  longestQueue(): number;
  /** See `Transport.takeUnasked`. */
  takeUnasked(): readonly number[];
}

interface HealthOptions {
  readonly clock: Clock;
  /** End of the warm-up. An interval ends there, so that none contains both warm-up and measurement. */
  readonly warmUpUs: Micros;
  /** The highest allowed median of the schedule lag. */
  readonly medianLagUs: Micros;
  readonly watched: Watched;
  /** How many generators (worker threads) share the process; default 1. */
  readonly generators?: number | undefined;
}

export function healthMonitor({ clock, warmUpUs, medianLagUs, watched, generators = 1 }: HealthOptions): HealthMonitor {
  const lagOf = new ScheduleLag();
  const lags = new LagCounts();
  let behindUs: Micros | undefined;
  /** Set while it runs. */
  let loop: LoopSamples | undefined;
  return {
    readLateUs({ sentAt, receivedAt }) {
      if (loop === undefined) return undefined;
      const late = receivedAt - Math.max(loop.wentRoundAt(), sentAt);
      return late > STANDSTILL_US ? (late as Micros) : undefined;
    },
    observe(exchange) {
      const lag = lagOf.of(exchange);
      if (lag !== undefined) lags.add(lag);
    },
    behindUs: () => behindUs,
    async run(signal, record) {
      loop = loopSamples(clock);
      const ofProcess = processMonitor(loop, generators);
      for (let from = clock.now(); !signal.aborted; ) {
        const end = from + INTERVAL_US;
        const at = (from < warmUpUs && warmUpUs < end ? warmUpUs : end) as Micros;
        await clock.sleepUntil(at, signal);
        // After a standstill the clock may wake before the timer that measures the delay, and a reset would then lose the standstill.
        for (let turn = 0; turn < TURNS_TO_SAMPLE; turn++) await nextTurn();
        from = at;
        const now = clock.now();
        const measured = measuredBy(ofProcess.take(), watched, lags);
        const median = lags.count === 0 ? undefined : lags.at(0.5);
        behindUs = median !== undefined && median > medianLagUs ? median : undefined;
        record({
          kind: 'health',
          // Earlier than it was due if the run stopped before.
          at: at === warmUpUs && now >= warmUpUs && now < warmUpUs + TIMER_LATE_US ? warmUpUs : now,
          ...measured,
        });
        lags.clear();
      }
      ofProcess.stop();
    },
  };
}

/** What an interval has measured. */
function measuredBy(
  { eventLoop, pauses, cpuUs }: ReturnType<ReturnType<typeof processMonitor>['take']>,
  watched: Watched,
  lags: LagCounts,
): Omit<HealthRecord, 'kind' | 'at'> {
  const queue = watched.longestQueue();
  const unasked = watched.takeUnasked();
  return {
    ...eventLoop,
    ...(lags.count > 0 && { scheduleLagP99Us: lags.at(0.99) }),
    ...pauses,
    backlog: watched.backlog(),
    ...(queue > 0 && { connectionQueue: queue }),
    ...(unasked.length > 0 && { unasked: unasked.length, unaskedOn: unasked }),
    cpuUs,
  };
}

/**
 * The times between two samples of the event loop, µs. Node's `monitorEventLoopDelay` is not used: each reset of it makes it forget
 * its last sample, and so a standstill that begins before the next one.
 */
function loopSamples(clock: Clock) {
  const loop = createHistogram();
  let last = clock.now();
  let wentRoundAt = last;
  const sample = () => {
    const now = clock.now();
    const took = now - last;
    loop.record(Math.max(1, took));
    // Timers come before sockets: what arrived during a standstill may be read only after this sample.
    wentRoundAt = took > STANDSTILL_US ? last : now;
    last = now;
  };
  const timer = setInterval(sample, RESOLUTION_MS).unref();
  return { loop, wentRoundAt: () => wentRoundAt, stop: () => clearInterval(timer) };
}

type LoopSamples = ReturnType<typeof loopSamples>;

/** What Node measures of this process. @param generators see `HealthOptions` */
function processMonitor({ loop, stop }: LoopSamples, generators: number) {
  const pauses = gcPauses();
  let cpu = process.cpuUsage();
  return {
    /** The values since the last call. */
    take() {
      const used = process.cpuUsage(cpu);
      cpu = process.cpuUsage();
      // A run of a few milliseconds ends before the first sample.
      const eventLoop = loop.count > 0 && {
        eventLoopP99Us: delayOf(loop.percentile(99)),
        eventLoopP50Us: delayOf(loop.percentile(50)),
        eventLoopMaxUs: delayOf(loop.max),
        eventLoopWaitUs: meanWaitOf(loop),
      };
      loop.reset();
      // Node reports only the CPU time of the whole process. Each worker records an equal share, so that the sum is right.
      const cpuUs = Math.round((used.user + used.system) / generators) as Micros;
      return { eventLoop, pauses: pauses.take(), cpuUs };
    },
    stop() {
      stop();
      pauses.stop();
    },
  };
}

/** Total time and longest pause of garbage collection since the last `take`. */
function gcPauses() {
  let totalMs = 0;
  let longestMs = 0;
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) {
      totalMs += duration;
      longestMs = Math.max(longestMs, duration);
    }
  });
  observer.observe({ entryTypes: ['gc'] });
  return {
    take() {
      const taken = { gcUs: microsFromMillis(totalMs), gcMaxUs: microsFromMillis(longestMs) };
      totalMs = 0;
      longestMs = 0;
      return taken;
    },
    stop: () => observer.disconnect(),
  };
}

/** The delay of a sample. @param us time since the sample before */
const delayOf = (us: number): Micros =>
  (Number.isFinite(us) ? Math.max(0, Math.round(us) - RESOLUTION_MS * 1_000) : 0) as Micros;

/**
 * How long what arrives at any instant waits on average until the loop goes on: half of the delay in which it arrives, and long
 * delays are hit more often. So it is half of the sum of their squares, divided by the time.
 * @param samples times between two samples, µs
 */
export function meanWaitOf({ mean, stddev }: Pick<RecordableHistogram, 'mean' | 'stddev'>): Micros {
  const delay = Math.max(0, mean - RESOLUTION_MS * 1_000);
  return Math.round((delay ** 2 + stddev ** 2) / (2 * mean)) as Micros;
}
