import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Micros } from '../../base/index.ts';
import type { Stopper } from '../interrupts.ts';
import type { Terminal } from '../run-options.ts';
import { atIntervals } from './at-intervals.ts';
import type { GateGuard } from './gate-guard.ts';
import type { LiveCounter } from './live-state.ts';

interface Watch {
  readonly clock: Clock;
  readonly live: LiveCounter;
  readonly guard: GateGuard;
  readonly stopping: Stopper;
  readonly terminal: Terminal;
  /** When the plan stops the run; undefined: it does not. */
  readonly stopsAtUs: Micros | undefined;
  /** Warnings that replace those of the live state, if there are any. */
  readonly warnings: () => readonly string[];
  /** Further work that runs until the signal is aborted. */
  readonly beside: (signal: AbortSignal) => Promise<void>;
}

const SHOW_EVERY_US = 250_000;

/** Runs `work`. Meanwhile updates the live view and stops the run when its plan says so or when a gate fails. */
export async function withWatch<T>(watch: Watch, work: () => Promise<T>): Promise<T> {
  const { clock, guard, stopping, beside } = watch;
  const over = new AbortController();
  const watching = [
    beside(over.signal),
    guard.watch(clock, over.signal, () => stopping.stop('gate')),
    updateView(watch, over.signal),
    stopWhenDue(watch, over.signal),
  ];
  try {
    return await work();
  } finally {
    over.abort();
    await Promise.all(watching);
  }
}

async function updateView({ clock, live, stopping, terminal, warnings }: Watch, over: AbortSignal): Promise<void> {
  if (!terminal.show) return;
  await atIntervals(clock, SHOW_EVERY_US, over, (now) => {
    const state = live.state(now, stopping.signals.finish.aborted);
    const invalidating = warnings();
    terminal.show?.(invalidating.length === 0 ? state : { ...state, warnings: invalidating });
    return false;
  });
}

async function stopWhenDue({ clock, stopsAtUs, stopping }: Watch, over: AbortSignal): Promise<void> {
  if (stopsAtUs === undefined) return;
  await clock.sleepUntil(stopsAtUs, over);
  if (over.aborted) return;
  stopping.stop('deadline', true);
  // If the loop stood still, what is open may have its answer already.
  await nextTurn();
  stopping.stop('deadline');
}
