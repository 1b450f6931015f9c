import type { GateResult, GatesDocument } from '../../gates/index.ts';
import { plural } from '../formatters.ts';
import { inertText } from '../inert-text.ts';
import { type Colors, colorsFor } from './colors.ts';
import { layOut, widthOf } from './layout.ts';

export interface GatesTableOptions {
  /** Width in characters; default 80, at least 40 is assumed. */
  readonly columns?: number;
  /** Default false. */
  readonly color?: boolean;
  /** For a round: where its gates are judged, or why they are not; without a full stop. */
  readonly together?: string;
}

/** Maximum characters of a sentence; `gates.json` has the full text. */
const SENTENCE = 240;

/** Renders gates: failed, then undetermined, then passed. Ends with a newline; empty without gates, except for a round. */
export function renderGates({ gates, runs, complete }: GatesDocument, options: GatesTableOptions = {}): string {
  const together = options.together === undefined ? '' : `gates: ${inertText(options.together)}\n`;
  if (gates.length === 0) return together;
  const columns = widthOf(options.columns);
  const colors = colorsFor(options.color ?? false);
  const order = { fail: 0, undetermined: 1, pass: 2 } as const;
  const sorted = [...gates].sort((a, b) => order[a.state] - order[b.state]);
  const rows = sorted.flatMap((gate) => gateRows(gate, colors));
  const widths = [
    { width: 2, align: 'left' },
    { width: columns - 2, align: 'left' },
  ] as const;
  const head = layOut([{ width: columns, align: 'left' }], [[heading(gates, runs.length, complete)]], { wrap: true });
  return `${[...head, ...layOut(widths, rows, { wrap: true })].join('\n')}\n${together}`;
}

function heading(gates: readonly GateResult[], runs: number, complete: boolean): string {
  const count = (state: GateResult['state']) => gates.filter((gate) => gate.state === state).length;
  const parts = [`${count('pass')} passed`, `${count('fail')} failed`, `${count('undetermined')} undetermined`];
  const over = runs > 1 ? `, over ${plural(runs, 'run')} together` : '';
  return `gates: ${parts.join(', ')}${over}${complete ? '' : '; the history is incomplete'}`;
}

function gateRows({ state, metric, expression, because, failsRun }: GateResult, colors: Colors): string[][] {
  const mark = { pass: colors.green('✓'), fail: colors.red('✗'), undetermined: colors.yellow('?') }[state];
  const allowed = state === 'undetermined' && !failsRun ? ' (allowed)' : '';
  return [
    [mark, `${inertText(metric, 120)}: ${inertText(expression)}`],
    ['', `${state === 'undetermined' ? `undetermined${allowed}: ` : ''}${inertText(because, SENTENCE)}`],
  ];
}
