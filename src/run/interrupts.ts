import { setMaxListeners } from 'node:events';
import type { StopSignals } from '../schedule/index.ts';

/** Why a run was stopped before its plan ended; the first reason counts. */
export type StopReason = 'interrupted' | 'deadline' | 'disk' | 'target' | 'sandbox' | 'gate' | 'budget';

/** Those that come with an error to tell. */
export type FailureReason = Extract<StopReason, 'disk' | 'target' | 'sandbox' | 'budget'>;

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
 * @param rounds of which the run is one, if it is
 * @returns a function that gives the signals back
 */
export function onInterrupt(stopping: Stopper, tell: (text: string) => void, rounds?: RoundsInterrupts): () => void {
  const takeBack = rounds?.handOver();
  if (rounds?.isAsked) stopping.stop('interrupted', true);
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
    takeBack?.();
    process.off('SIGINT', listener);
    process.off('SIGTERM', listener);
    process.off('SIGHUP', onHangUp);
  };
}

/** Ctrl-C for runs that follow one another. While one sends, that one sees to it; otherwise what is begun is written, and no more. */
export interface RoundsInterrupts {
  /** Somebody wants the rounds to end. */
  readonly isAsked: boolean;
  /** A run sends, and listens for itself. @returns a function to call when it no longer does */
  handOver(): () => void;
  /** Gives the signals back. */
  release(): void;
}

/** @param tell says to the person what the signal did */
export function interruptsOfRounds(tell: (text: string) => void): RoundsInterrupts {
  let isAsked = false;
  let isSending = false;
  // What ends the process by itself does so also in the midst of judging, in which no listener is called.
  const endAtOnceFromNow = () => {
    process.off('SIGINT', listener);
    process.off('SIGTERM', listener);
  };
  const listener = () => {
    isAsked = true;
    if (isSending) return;
    endAtOnceFromNow();
    tell('stopping: what this round leaves is written, and no other begins (again to stop at once)');
  };
  const onHangUp = () => {
    if (!isAsked) listener();
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  process.on('SIGHUP', onHangUp);
  return {
    get isAsked() {
      return isAsked;
    },
    handOver() {
      isSending = true;
      return () => {
        isSending = false;
        if (isAsked) endAtOnceFromNow();
      };
    },
    release() {
      endAtOnceFromNow();
      process.off('SIGHUP', onHangUp);
    },
  };
}

/**
 * While reports are written, one more Ctrl-C (or SIGTERM) is told and nothing else; the next ends the process by itself, as it does also in
 * the midst of judging, in which no listener is called. Somebody who pressed it twice to stop at once has then not lost what is written
 * from the journal.
 * @param tell says to the person what the signal did
 * @returns a function that gives the signals back
 */
export function outliveInterrupt(tell: (text: string) => void): () => void {
  const release = () => {
    process.off('SIGINT', listener);
    process.off('SIGTERM', listener);
  };
  const listener = () => {
    release();
    tell('the reports are being written (again to leave them: spillway report makes them later)');
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return release;
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
