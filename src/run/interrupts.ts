import { setMaxListeners } from 'node:events';
import type { StopSignals } from '../schedule/index.ts';

/** Why a run was stopped before its plan ended; the first reason counts. */
export type StopReason = 'interrupted' | 'deadline' | 'disk' | 'target' | 'sandbox' | 'gate' | 'budget';

/** Reasons that come with an error for the user. */
export type FailureReason = Extract<StopReason, 'disk' | 'target' | 'sandbox' | 'budget'>;

/** Stops a run. */
export interface Stopper {
  readonly signals: StopSignals;
  readonly reason: StopReason | undefined;
  /** `gently`: nothing new starts, and what is open ends normally. Otherwise everything stops at once. */
  stop(reason: StopReason, gently?: boolean): void;
}

export function stopper(): Stopper {
  const finish = new AbortController();
  const abort = new AbortController();
  // Every sleep and every wait adds a listener: thousands of them are normal, not a leak.
  setMaxListeners(0, finish.signal, abort.signal);
  let reason: StopReason | undefined;
  return {
    signals: { finish: finish.signal, abort: abort.signal },
    get reason() {
      return reason;
    },
    stop(why, gently = false) {
      reason ??= why;
      finish.abort();
      if (!gently) abort.abort();
    },
  };
}

/**
 * The first Ctrl-C (or SIGTERM) stops the run gently, the second at once; recorded data is kept in both cases. SIGHUP counts only
 * as a first signal, because a shell repeats the system's SIGHUP.
 * @param tell shows the user what the signal does
 * @param rounds absent if the run belongs to none
 * @returns a function that removes the listeners
 */
export function onInterrupt(
  stopping: Stopper,
  tell: (text: string) => void,
  rounds: RoundsInterrupts | undefined,
): () => void {
  const takeBack = rounds?.handOver();
  if (rounds?.isRequested) stopping.stop('interrupted', true);
  let count = 0;
  const listener = () => {
    count++;
    if (count === 1) tell('stopping: open steps are finished, and all records are kept (again to stop at once)');
    stopping.stop('interrupted', count === 1);
  };
  const onHangUp = () => {
    if (count === 0) listener();
  };
  const removers = [onSignals(listener, 'SIGINT', 'SIGTERM'), onSignals(onHangUp, 'SIGHUP')];
  return () => {
    takeBack?.();
    for (const remove of removers) remove();
  };
}

/**
 * Ctrl-C during rounds. While a run sends, it handles the signal itself. Between two runs, the reports of the current round are
 * still written, and no further round starts.
 */
export interface RoundsInterrupts {
  /** Whether the user has interrupted the rounds. */
  readonly isRequested: boolean;
  /** Called when a run starts to send and handles the signals itself. @returns a function to call when it has stopped sending */
  handOver(): () => void;
  /** Removes the listeners. */
  release(): void;
}

/** @param tell shows the user what the signal does */
export function interruptsOfRounds(tell: (text: string) => void): RoundsInterrupts {
  let isRequested = false;
  let isSending = false;
  const listener = () => {
    isRequested = true;
    if (isSending) return;
    endProcessOnNextSignal();
    tell('stopping: the reports of this round are written, and no further round starts (again to stop at once)');
  };
  const onHangUp = () => {
    if (!isRequested) listener();
  };
  // Without a listener, the signal ends the process even during judging, which is synchronous and would block a listener.
  const endProcessOnNextSignal = onSignals(listener, 'SIGINT', 'SIGTERM');
  const removeHangUp = onSignals(onHangUp, 'SIGHUP');
  return {
    get isRequested() {
      return isRequested;
    },
    handOver() {
      isSending = true;
      return () => {
        isSending = false;
        if (isRequested) endProcessOnNextSignal();
      };
    },
    release() {
      endProcessOnNextSignal();
      removeHangUp();
    },
  };
}

/**
 * While reports are written, the first Ctrl-C (or SIGTERM) only shows a message, and the next one ends the process. So a user who
 * presses Ctrl-C twice to stop a run does not lose its reports. The listener is removed after the first signal: without one, the
 * next signal also ends the process during judging, which is synchronous.
 * @param tell shows the user what the signal does
 * @returns a function that removes the listeners
 */
export function ignoreFirstInterrupt(tell: (text: string) => void): () => void {
  const listener = () => {
    release();
    tell('the reports are being written (again to stop without them; spillway report can write them later)');
  };
  const release = onSignals(listener, 'SIGINT', 'SIGTERM');
  return release;
}

/** Keeps the process running after its terminal is closed. @returns a function that removes the listener */
export const ignoreHangUp = (): (() => void) => onSignals(() => undefined, 'SIGHUP');

/** Calls a listener at each of these signals. @returns a function that removes it */
function onSignals(listener: () => void, ...signals: readonly NodeJS.Signals[]): () => void {
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/**
 * Calls a function when the process exits, for example because a callback threw.
 * @returns a function that cancels this
 */
export function atExit(last: () => void): () => void {
  process.once('exit', last);
  return () => void process.off('exit', last);
}
