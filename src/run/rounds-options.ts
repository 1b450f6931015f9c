import type { RunOptions } from './run-options.ts';

export interface RoundsOptions extends Omit<RunOptions, 'out' | 'pool' | 'interrupts' | 'spent'> {
  /** Number of rounds, ≥ 1. */
  readonly rounds: number;
  /** The candidate, which each round compares with the base; absent: only the base runs. */
  readonly against?: Against;
  /** Folder for all rounds, new or empty; absent: one below results/. */
  readonly out?: string;
}

/** The candidate's target. */
export interface Against {
  /** Base address; absent: the embedded sandbox. */
  readonly target?: string;
}
