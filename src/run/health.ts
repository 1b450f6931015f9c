import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { type Clock, type Micros, microsFromMillis } from '../base/index.ts';
import type { Exchange, HealthRecord } from '../history/index.ts';
import { LagCounts } from './lag-counts.ts';

/** Watches the generator itself, so that its own weakness is never read as the service's. */
export interface HealthMonitor {
  /** Takes an exchange's schedule lag into the current interval. */
  observe(exchange: Exchange): void;
  /** Resolves when `signal` is aborted; until then hands over a record each second. */
  run(signal: AbortSignal, record: (record: HealthRecord) => void, backlog: () => number): Promise<void>;
}

const INTERVAL_US = 1_000_000;
/** The loop's delay is sampled by a timer of this period, which the histogram counts in and we take out again. */
const RESOLUTION_MS = 10;

/** @param warmUpUs an interval ends with the warm-up, so that none holds both */
export function healthMonitor(clock: Clock, warmUpUs: Micros): HealthMonitor {
  const lags = new LagCounts();
  return {
    observe(exchange) {
      // A poll may have to wait for the answer of the one before, and a later step for its predecessor: only lag that is ours.
      if (exchange.operation === 'readTurn') return;
      const { sentAt, intendedAt, capWaitUs } = exchange;
      const waited = capWaitUs ? Object.values(capWaitUs).reduce((sum, wait) => sum + wait, 0) : 0;
      lags.add(sentAt - intendedAt - waited);
    },
    async run(signal, record, backlog) {
      const loop = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      let gcMs = 0;
      const gc = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) gcMs += entry.duration;
      });
      loop.enable();
      gc.observe({ entryTypes: ['gc'] });
      let cpu = process.cpuUsage();
      for (let from = clock.now(); !signal.aborted; ) {
        const end = from + INTERVAL_US;
        const at = (from < warmUpUs && warmUpUs < end ? warmUpUs : end) as Micros;
        await clock.sleepUntil(at, signal);
        from = at;
        const used = process.cpuUsage(cpu);
        cpu = process.cpuUsage();
        record({
          kind: 'health',
          at: clock.now(),
          eventLoopP99Us: delayOf(loop.percentile(99)),
          ...(lags.count === 0 ? {} : { scheduleLagP99Us: lags.at(0.99) }),
          gcUs: microsFromMillis(gcMs),
          backlog: backlog(),
          cpuUs: (used.user + used.system) as Micros,
        });
        loop.reset();
        gcMs = 0;
        lags.clear();
      }
      loop.disable();
      gc.disconnect();
    },
  };
}

/** Nanoseconds between two samples to microseconds of delay. */
const delayOf = (ns: number): Micros =>
  (Number.isFinite(ns) ? Math.max(0, Math.round(ns / 1_000) - RESOLUTION_MS * 1_000) : 0) as Micros;
