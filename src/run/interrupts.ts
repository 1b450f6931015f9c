import { setMaxListeners } from 'node:events';
import type { StopSignals } from '../schedule/index.ts';

/** Why a run was stopped before its plan ended; the first reason counts. */
export type StopReason = 'interrupted' | 'deadline' | 'disk' | 'target' | 'gate';

/** The switch that stops a run. */
export interface Stopper {
  readonly signals: StopSignals;
  readonly reason: StopReason | undefined;
  /** `gently`: start nothing new, end what is open. Otherwise at once. */
  stop(reason: StopReason, gently?: boolean): void;
}

export function stopper(): Stopper {
  const finish = new AbortController();
  const abort = new AbortController();
  // Every sleeper and every waiter listens: thousands are ordinary, not a leak.
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
 * Ctrl-C (or SIGTERM) once ends what is open, twice stops at once; everything is kept both times. A terminal that hangs up
 * counts once however often it says so: the shell repeats what the system has said.
 * @param tell says to the person what the signal did
 * @returns a function that gives the signals back
 */
export function onInterrupt(stopping: Stopper, tell: (text: string) => void): () => void {
  let count = 0;
  const listener = () => {
    count++;
    if (count === 1) tell('stopping: open steps are ended and everything is kept (again to stop at once)');
    stopping.stop('interrupted', count === 1);
  };
  const onHangUp = () => {
    if (count === 0) listener();
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  process.on('SIGHUP', onHangUp);
  return () => {
    process.off('SIGINT', listener);
    process.off('SIGTERM', listener);
    process.off('SIGHUP', onHangUp);
  };
}

/** Keeps the process going though its terminal hangs up. @returns a function that gives the signal back */
export function outliveHangUp(): () => void {
  const ignore = () => undefined;
  process.on('SIGHUP', ignore);
  return () => void process.off('SIGHUP', ignore);
}

/** Does this last thing where the process ends before it is called off: what is thrown in a callback ends it at once. */
export function atExit(last: () => void): () => void {
  process.once('exit', last);
  return () => void process.off('exit', last);
}
