import type { GatesDocument } from '../../gates/index.ts';
import { plural } from '../formatters.ts';
import { incompleteText, isOverBudget, NEVER_CHECKED } from '../incomplete.ts';
import { inertText } from '../inert-text.ts';
import type { JudgedRun } from './output.ts';

/** The answer in a few words, the worst first. */
export interface Headline {
  readonly passed: boolean;
  /** It passed because nothing was asked of it, and no limit was reached: no gate, expectation or limit held. */
  readonly open: boolean;
  /** Sentences without a full stop; at least one. */
  readonly because: readonly string[];
}

/** What came of a run, in the order in which exit codes are chosen. */
export function headlineOf({ summary, verdicts, gates, invalid }: JudgedRun): Headline {
  const { proven } = verdicts;
  const { unmet, checked, neverChecked } = summary.expectations;
  const { complete } = summary.run;
  const wrong = [
    ...(proven.length > 0
      ? [`proven against the service: ${proven.map(({ violation }) => inertText(violation)).join(', ')}`]
      : []),
    ...(invalid === undefined ? [] : [`the run is invalid: ${inertText(invalid)}`]),
    ...wrongOfGates(gates),
    ...(isOverBudget(summary.run) ? [incompleteText(summary.run)] : []),
    ...(neverChecked ? [NEVER_CHECKED] : []),
    ...(unmet > 0 ? [`${unmet} of ${plural(checked, 'expectation')} not met`] : []),
  ];
  if (wrong.length > 0) return { passed: false, open: false, because: wrong };
  const held = [
    ...(gates.gates.length > 0 ? [`${plural(gates.gates.length, 'gate')} passed or allowed`] : []),
    ...(checked > 0 ? [`${plural(checked, 'expectation')} met`] : []),
    // What its own deadline ended is as valid as planned.
    ...(complete ? [] : [incompleteText(summary.run)]),
    'nothing is proven against the service',
  ];
  const shown = checked > 0 || anyPassed(gates) || verdicts.limits.some(({ verdict }) => verdict === 'consistent');
  return { passed: true, open: !shown, because: held };
}

export const anyPassed = ({ gates }: Pick<GatesDocument, 'gates'>): boolean =>
  gates.some(({ state }) => state === 'pass');

/** The sign before it, in Markdown. */
export const signOf = ({ passed, open }: Headline): string => (passed ? (open ? '❔' : '✅') : '❌');

/** `1 of 3 gates failed`, and how many could not be told. */
export function wrongOfGates({ gates }: GatesDocument): readonly string[] {
  const failed = gates.filter(({ state }) => state === 'fail').length;
  const untold = gates.filter(({ failsRun, state }) => failsRun && state !== 'fail').length;
  const ofGates = `of ${plural(gates.length, 'gate')}`;
  return [
    ...(failed > 0 ? [`${failed} ${ofGates} failed`] : []),
    ...(untold > 0 ? [`${untold} ${ofGates} undetermined, for want of data`] : []),
  ];
}
