import { inertText, listed } from '../../base/index.ts';
import type { GatesDocument } from '../../gates/index.ts';
import { formatCount, nothingProven, plural } from '../formatters.ts';
import { incompleteText, isOverBudget, lackText, NEVER_CHECKED } from '../incomplete.ts';
import { showsAnything } from '../judged.ts';
import type { JudgedRun } from './output.ts';

/** The result in short sentences, the most severe first. */
export interface Headline {
  readonly passed: boolean;
  /** Whether it passed without evidence: no gate passed, no expectation was checked, and no limit is consistent. */
  readonly open: boolean;
  /** Sentences without a full stop; at least one. */
  readonly because: readonly string[];
}

/** The result of a run, by the same priority as exit codes. */
export function headlineOf({ summary, verdicts, gates }: JudgedRun): Headline {
  const { proven } = verdicts;
  const { unmet, checked, neverChecked } = summary.expectations;
  const { complete, invalid } = summary.run;
  const wrong = listed(
    proven.length > 0 &&
      `proven against the service: ${proven.map(({ violation }) => inertText(violation)).join(', ')}`,
    invalid !== undefined && `the run is invalid: ${inertText(invalid)}`,
    ...wrongOfGates(gates),
    isOverBudget(summary.run) && incompleteText(summary.run),
    neverChecked && NEVER_CHECKED,
    unmet > 0 && `${formatCount(unmet)} of ${plural(checked, 'expectation')} not met`,
  );
  if (wrong.length > 0) return { passed: false, open: false, because: wrong };
  const held = listed(
    gates.gates.length > 0 && `${plural(gates.gates.length, 'gate')} passed or allowed`,
    checked > 0 && `${plural(checked, 'expectation')} met`,
    // A run that ended at its own deadline is still valid.
    !complete && lackText(summary),
    nothingProven(verdicts.accepted),
  );
  return { passed: true, open: !showsAnything(summary, verdicts, gates.gates), because: held };
}

/** The sign of a headline in Markdown. */
export const signOf = ({ passed, open }: Headline): string => (passed ? (open ? '❔' : '✅') : '❌');

/** `1 of 3 gates failed`, and how many are undetermined. */
export function wrongOfGates({ gates }: GatesDocument): readonly string[] {
  const failed = gates.filter(({ state }) => state === 'fail').length;
  const undetermined = gates.filter(({ failsRun, state }) => failsRun && state !== 'fail').length;
  const ofGates = `of ${plural(gates.length, 'gate')}`;
  return listed(
    failed > 0 && `${failed} ${ofGates} failed`,
    undetermined > 0 && `${undetermined} ${ofGates} undetermined for lack of data`,
  );
}
