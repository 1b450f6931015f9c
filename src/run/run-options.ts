import type { RoundOf } from '../history/index.ts';
import type { LiveState } from '../report/index.ts';
import type { LoadedScenario } from '../scenario/index.ts';
import type { ConclusionOptions } from './conclude-run.ts';
import type { DebugSink } from './generator/debug-sender.ts';
import type { RoundsInterrupts } from './interrupts.ts';

/** The user's terminal; implemented in `cli/`. */
export interface Terminal {
  /** Prints a line outside the live view. */
  tell(text: string): void;
  /** Updates the live view, four times a second. Absent: there is none. */
  show?(live: LiveState): void;
  /** Removes the live view. */
  finish(): void;
  /** Where `--debug` writes each exchange; absent without it. */
  readonly debug?: DebugSink;
}

export interface RunOptions extends ConclusionOptions {
  readonly loaded: LoadedScenario;
  /** Base address of a real service; absent: the embedded sandbox. */
  readonly target?: string | undefined;
  /** Folder for the results, new or empty; absent: one below results/. */
  readonly out?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** As typed; redacted before it is written. */
  readonly commandLine: readonly string[];
  readonly terminal: Terminal;
  /** Port of the live page, 0 for any free one; absent: there is none. */
  readonly dashboard?: number | undefined;
  /** Number of worker threads, each of which sends for its part of the users; default 1: this thread sends. */
  readonly workers?: number;
  /** Which round this run belongs to; absent: none. */
  readonly round?: RoundOf;
  /** Counters of the profile's budget, with what earlier rounds spent; this run adds to them. Absent: nothing was spent. */
  readonly spent?: SharedArrayBuffer;
  /** Handles Ctrl-C between the runs of several rounds; absent: there are no rounds. */
  readonly interrupts?: RoundsInterrupts;
}

export interface RoundsOptions extends Omit<RunOptions, 'out' | 'pool' | 'interrupts' | 'spent'> {
  /** Number of rounds, ≥ 1. */
  readonly rounds: number;
  /** The candidate, which each round compares with the base; absent: only the base runs. */
  readonly against?: Against | undefined;
  /** Folder for all rounds, new or empty; absent: one below results/. */
  readonly out?: string | undefined;
}

/** The candidate's target. */
export interface Against {
  /** Base address; absent: the embedded sandbox. */
  readonly target?: string;
}
