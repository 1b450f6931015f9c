import type { Clock, Micros } from '../../base/index.ts';
import { MetricSeries } from '../../collect/index.ts';
import { failingGate, gateQueries } from '../../gates/index.ts';
import type { JournalRecord } from '../../history/index.ts';
import { type Gate, printWindowedGate } from '../../metrics/index.ts';
import { atIntervals } from './at-intervals.ts';

/** Judges the gates with `abortOnFail` during the run. */
export interface GateGuard {
  /** Whether there are any such gates. */
  readonly watches: boolean;
  add(record: JournalRecord): void;
  /** Judges the gates every second until one fails or `signal` is aborted. */
  watch(clock: Clock, signal: AbortSignal, onFail: () => void): Promise<void>;
  /** The gate that failed, as printed by `printWindowedGate`; `undefined` if none has. */
  readonly stoppedBy: string | undefined;
}

const CHECK_EVERY_US = 1_000_000;

/**
 * If no gate has `abortOnFail`, records are ignored.
 * @param knownUntil up to which instant records were added; a window that ends later would lack some of its own
 */
export function gateGuard(gates: readonly Gate[], knownUntil: (now: Micros) => Micros = (now) => now): GateGuard {
  const watched = gates.filter((gate) => gate.kind === 'metric').filter(({ options }) => options.abortOnFail);
  // Whether this run fails is asked: taken for the service's usual variation, an outage late in a run would never end it.
  const series = new MetricSeries(gateQueries(watched), 'run');
  let stoppedBy: string | undefined;
  return {
    watches: watched.length > 0,
    add(record) {
      if (watched.length > 0) series.add(record);
    },
    async watch(clock, signal, onFail) {
      if (watched.length === 0) return;
      await atIntervals(clock, CHECK_EVERY_US, signal, (now) => {
        const failing = failingGate(watched, series, knownUntil(now));
        if (!failing) return false;
        stoppedBy = printWindowedGate(failing);
        onFail();
        return true;
      });
    },
    get stoppedBy() {
      return stoppedBy;
    },
  };
}
