import { formatDuration } from '../../base/index.ts';
import type { Summary } from '../../collect/index.ts';
import { plural, speedText } from '../formatters.ts';
import { emptyText, incompleteText } from '../incomplete.ts';
import { inertText } from '../inert-text.ts';
import { type Colors, colorsFor } from './colors.ts';
import { healthWarnings } from './health-warnings.ts';
import { latencyTable } from './latency-table.ts';
import { labelled, layOut, widthOf } from './layout.ts';
import { stageLines } from './stages.ts';
import { sections } from './summary-sections.ts';

export interface SummaryTableOptions {
  /** Width in characters; default 80, at least 40 is assumed. */
  readonly columns?: number;
  /** Whether to colour; the caller checks NO_COLOR and the terminal. Default false. */
  readonly color?: boolean;
  /** Address or name of the service; default: the name of the profile in the journal. */
  readonly target?: string;
  /** The run's folder, for the last line; absent: no such line. */
  readonly folder?: string;
  /** Further warnings, for example about torn lines of the journal. */
  readonly warnings?: readonly string[];
}

const WARNINGS_SHOWN = 3;
const WARNING_CHARACTERS = 130;

/** Renders the summary: at most 45 lines at 80 columns, and 20 more if the plan has stages. Ends with a newline. */
export function renderSummary(summary: Summary, options: SummaryTableOptions = {}): string {
  const columns = widthOf(options.columns);
  const colors = colorsFor(options.color ?? false);
  const lines = [
    ...heading(summary, options, columns, colors),
    '',
    ...(Object.keys(summary.operations).length === 0
      ? [emptyText(summary.run)]
      : latencyTable(summary, columns, colors)),
    '',
    ...stageLines(summary, columns, colors),
    ...labelled(
      sections.flatMap((section) => section(summary)),
      columns,
    ),
    ...warningLines([...healthWarnings(summary), ...(options.warnings ?? [])], columns, colors),
    ...(options.folder === undefined ? [] : ['', `results       ${inertText(options.folder, 1_000)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function heading({ run }: Summary, options: SummaryTableOptions, columns: number, colors: Colors): string[] {
  const target = options.target ?? run.target;
  const state = run.complete ? colors.green('complete') : colors.red(`incomplete: ${incompleteText(run)}`);
  const against = target === undefined ? '' : ` against ${inertText(target, 60)}`;
  const warmUp = run.warmUp.exchanges > 0 ? `, ${plural(run.warmUp.exchanges, 'exchange')} of warm-up left out` : '';
  // Limits and proofs count its time, latencies the run's.
  const clock = run.clockRate === undefined ? '' : `, the service's clock ${speedText(run.clockRate)}`;
  const facts = `${plural(run.arrivals, 'arrival')}, ${plural(run.exchanges, 'exchange')}${warmUp}, seed ${run.seed}${clock}`;
  const wrapped = { wrap: true };
  return [
    ...layOut(
      [{ width: columns, align: 'left' }],
      [[`${colors.bold(inertText(run.scenario, 64))}${against}, ${formatDuration(run.durationUs)}, ${state}`], [facts]],
      wrapped,
    ),
  ];
}

function warningLines(warnings: readonly string[], columns: number, colors: Colors): string[] {
  const more = warnings.length - WARNINGS_SHOWN;
  const shown = [
    ...warnings.slice(0, WARNINGS_SHOWN).map((warning) => inertText(warning, WARNING_CHARACTERS)),
    ...(more > 0 ? [`and ${plural(more, 'more warning')}`] : []),
  ];
  return labelled(
    shown.map((warning, index) => [index === 0 ? colors.yellow('warnings') : '', warning] as const),
    columns,
  );
}
