import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { type Clock, type Micros, microsFromMillis } from '../base/index.ts';
import { capWaitOf } from '../collect/index.ts';
import type { Exchange, HealthRecord } from '../history/index.ts';
import { LagCounts } from './lag-counts.ts';

/** Watches the generator itself, so that its own weakness is never read as the service's. */
export interface HealthMonitor {
  /** Takes an exchange's schedule lag into the current interval. */
  observe(exchange: Exchange): void;
  /** Resolves when `signal` is aborted; until then hands over a record each second. */
  run(signal: AbortSignal, record: (record: HealthRecord) => void): Promise<void>;
  /** How late half of the last interval's requests left, where that is more than is allowed. */
  behindUs(): Micros | undefined;
}

const INTERVAL_US = 1_000_000;
/** The loop's delay is sampled by a timer of this period, which the histogram counts in and we take out again. */
const RESOLUTION_MS = 10;

/** What is asked at the end of each interval. */
export interface Watched {
  /** Records not yet on disk. */
  backlog(): number;
  /** The most requests that waited for a connection at once, since it was last asked. */
  longestQueue(): number;
  /** As `Transport.takeUnasked`. */
  takeUnasked(): number;
}

export interface HealthOptions {
  readonly clock: Clock;
  /** An interval ends with the warm-up, so that none holds both. */
  readonly warmUpUs: Micros;
  /** How late half of the requests may leave. */
  readonly medianLagUs: Micros;
  readonly watched: Watched;
  /** How many generators share the process; default 1. */
  readonly generators?: number;
}

export function healthMonitor({ clock, warmUpUs, medianLagUs, watched, generators = 1 }: HealthOptions): HealthMonitor {
  const lags = new LagCounts();
  let behindUs: Micros | undefined;
  return {
    observe(exchange) {
      // A poll may have to wait for the answer of the one before, and a later step for its predecessor: only lag that is ours.
      if (exchange.operation === 'readTurn') return;
      lags.add(exchange.sentAt - exchange.intendedAt - capWaitOf(exchange));
    },
    behindUs: () => behindUs,
    async run(signal, record) {
      const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      const pauses = gcPauses();
      loop.enable();
      let cpu = process.cpuUsage();
      for (let from = clock.now(); !signal.aborted; ) {
        const end = from + INTERVAL_US;
        const at = (from < warmUpUs && warmUpUs < end ? warmUpUs : end) as Micros;
        await clock.sleepUntil(at, signal);
        from = at;
        const used = process.cpuUsage(cpu);
        cpu = process.cpuUsage();
        const queue = watched.longestQueue();
        const unasked = watched.takeUnasked();
        const median = lags.count === 0 ? undefined : lags.at(0.5);
        behindUs = median !== undefined && median > medianLagUs ? median : undefined;
        record({
          kind: 'health',
          at: clock.now(),
          // A run of some milliseconds ends before the loop was looked at once.
          ...(loop.count === 0
            ? {}
            : { eventLoopP99Us: delayOf(loop.percentile(99)), eventLoopP50Us: delayOf(loop.percentile(50)) }),
          ...(lags.count === 0 ? {} : { scheduleLagP99Us: lags.at(0.99) }),
          ...pauses.take(),
          backlog: watched.backlog(),
          ...(queue === 0 ? {} : { connectionQueue: queue }),
          ...(unasked === 0 ? {} : { unasked }),
          // Node tells the CPU time of the process only: of several threads each tells its share, so that their sum is true.
          cpuUs: Math.round((used.user + used.system) / generators) as Micros,
        });
        loop.reset();
        lags.clear();
      }
      loop.disable();
      pauses.stop();
    },
  };
}

/** Time that garbage collection took since it was last asked, and the longest pause of it. */
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

/** Nanoseconds between two samples to microseconds of delay. */
const delayOf = (ns: number): Micros =>
  (Number.isFinite(ns) ? Math.max(0, Math.round(ns / 1_000) - RESOLUTION_MS * 1_000) : 0) as Micros;
