import type { GatesDocument } from '../../gates/index.ts';
import type { SummaryDocument } from '../judged.ts';
import type { VerdictsDocument } from '../verdicts-json.ts';

/** A measured and judged run. */
export interface JudgedRun {
  readonly summary: SummaryDocument;
  readonly verdicts: VerdictsDocument;
  readonly gates: GatesDocument;
}

/** A file of a run's folder that is made after judging; the same journal gives the same bytes. */
export interface Output {
  /** File name in the run's folder. */
  readonly file: string;
  /** Description of the content, for results/README.md. */
  readonly holds: string;
  render(run: JudgedRun): string | Promise<string>;
}
