import type { RunFacts, Summary } from '../collect/index.ts';
import type { GateResult } from '../gates/index.ts';
import type { VerdictsDocument } from './verdicts-json.ts';

const severity = { fail: 0, undetermined: 1, pass: 2 } as const;

/** Gates in the order in which they are shown: failed, undetermined, passed. */
export const gatesBySeverity = (gates: readonly GateResult[]): GateResult[] =>
  gates.toSorted((a, b) => severity[a.state] - severity[b.state]);

/** The judgement of a run, for the exports. */
export interface Judged {
  readonly document: VerdictsDocument;
  /** Called once, after the last record, because gates need the measurements. */
  readonly gates: () => readonly GateResult[];
  /** Why the run is invalid; `undefined` if it is valid. */
  readonly invalidBecause: (summary: Summary) => string | undefined;
}

/** Whether a run that nothing is wrong with shows anything: a limit that was reached and kept, a passed gate, a checked expectation. */
export const showsAnything = (
  { expectations }: Pick<Summary, 'expectations'>,
  { limits }: Pick<VerdictsDocument, 'limits'>,
  gates: readonly GateResult[],
): boolean => expectations.checked > 0 || limits.some(({ verdict }) => verdict === 'consistent') || anyPassed(gates);

export const anyPassed = (gates: readonly GateResult[]): boolean => gates.some(({ state }) => state === 'pass');

/** The content of `summary.json`: everything measured, and why it must not be used. */
export interface SummaryDocument extends Omit<Summary, 'run'> {
  readonly run: RunFacts & {
    /** As `Judged.invalidBecause`. */
    readonly invalid?: string;
  };
}

/** Adds to a summary why the run is invalid, if it is. */
export function summaryDocument(summary: Summary, judged: Judged | undefined): SummaryDocument {
  const invalid = judged?.invalidBecause(summary);
  return invalid === undefined ? summary : { ...summary, run: { ...summary.run, invalid } };
}
