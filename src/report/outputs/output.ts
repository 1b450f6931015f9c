import type { Summary } from '../../collect/index.ts';
import type { GatesDocument } from '../../gates/index.ts';
import type { VerdictsDocument } from '../verdicts-json.ts';

/** A run, measured and judged: what is told to people and to CI servers. */
export interface JudgedRun {
  readonly summary: Summary;
  readonly verdicts: VerdictsDocument;
  readonly gates: GatesDocument;
  /** Why its numbers are not to be used; absent when they are. */
  readonly invalid?: string;
}

/** One file of a run's folder that is made once it is judged: the same journal gives the same bytes. */
export interface Output {
  /** Name in the run's folder. */
  readonly file: string;
  /** A sentence for the README: what one finds in it. */
  readonly holds: string;
  render(run: JudgedRun): string | Promise<string>;
}
