import { inertText } from '../../base/index.ts';
import { demandShown, type GateResult, type GatesDocument } from '../../gates/index.ts';
import { plural } from '../formatters.ts';
import { gatesBySeverity } from '../judged.ts';
import { besideWrapped, type Colors, type LookOptions, lookOf, wrapped } from './layout.ts';

interface GatesTableOptions extends LookOptions {
  /** For a round: where its gates are judged, or why they are not; without a full stop. */
  readonly together?: string | undefined;
}

/** Maximum characters of a sentence; `gates.json` has the full text. */
const SENTENCE = 240;

/** Renders gates: failed, then undetermined, then passed. Ends with a newline; empty without gates, except for a round. */
export function renderGates({ gates, runs, complete }: GatesDocument, options: GatesTableOptions = {}): string {
  const together = options.together === undefined ? '' : `gates: ${inertText(options.together)}\n`;
  if (gates.length === 0) return together;
  const { columns, colors } = lookOf(options);
  const rows = gatesBySeverity(gates).flatMap((gate) => gateRows(gate, colors));
  const head = wrapped([heading(gates, runs.length, complete)], columns);
  return `${[...head, ...besideWrapped(rows, 2, columns)].join('\n')}\n${together}`;
}

function heading(gates: readonly GateResult[], runs: number, complete: boolean): string {
  const count = (state: GateResult['state']) => gates.filter((gate) => gate.state === state).length;
  const parts = [`${count('pass')} passed`, `${count('fail')} failed`, `${count('undetermined')} undetermined`];
  const over = runs > 1 ? `, over ${plural(runs, 'run')} together` : '';
  return `gates: ${parts.join(', ')}${over}${complete ? '' : '; they cover only a part of the run'}`;
}

function gateRows(gate: GateResult, colors: Colors): [string, string][] {
  const { state, metric, because, failsRun } = gate;
  const mark = { pass: colors.green('✓'), fail: colors.red('✗'), undetermined: colors.yellow('?') }[state];
  const allowed = state === 'undetermined' && !failsRun ? ' (allowed)' : '';
  return [
    [mark, `${inertText(metric, 120)}: ${inertText(demandShown(gate))}`],
    ['', `${state === 'undetermined' ? `undetermined${allowed}: ` : ''}${inertText(because, SENTENCE)}`],
  ];
}
