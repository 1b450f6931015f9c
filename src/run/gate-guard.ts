import type { Clock, Micros } from '../base/index.ts';
import { MetricSeries } from '../collect/index.ts';
import { failingGate, gateQueries } from '../gates/index.ts';
import type { JournalRecord } from '../history/index.ts';
import { type Gate, printGate } from '../metrics/index.ts';

/** Judges gates that are to end the run, while it goes on. */
export interface GateGuard {
  /** Whether there are any. */
  readonly watches: boolean;
  add(record: JournalRecord): void;
  /** Looks every second until a gate fails or `signal` is aborted. */
  watch(clock: Clock, signal: AbortSignal, onFail: () => void): Promise<void>;
  /** The gate that failed, as `printGate` has it; absent while none has. */
  readonly stoppedBy: string | undefined;
}

const LOOK_EVERY_US = 1_000_000;

/** Costs nothing where no gate has `abortOnFail`. */
export function gateGuard(gates: readonly Gate[]): GateGuard {
  const watched = gates.filter((gate) => gate.kind === 'metric').filter(({ options }) => options.abortOnFail);
  const series = new MetricSeries(gateQueries(watched));
  let stoppedBy: string | undefined;
  return {
    watches: watched.length > 0,
    add(record) {
      if (watched.length > 0) series.add(record);
    },
    async watch(clock, signal, onFail) {
      if (watched.length === 0) return;
      for (let at = LOOK_EVERY_US; !signal.aborted; at += LOOK_EVERY_US) {
        await clock.sleepUntil(at as Micros, signal);
        const failing = signal.aborted ? undefined : failingGate(watched, series, clock.now());
        if (!failing) continue;
        stoppedBy = printGate(failing);
        return onFail();
      }
    },
    get stoppedBy() {
      return stoppedBy;
    },
  };
}
