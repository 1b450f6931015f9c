import { formatDuration, inertText } from '../../base/index.ts';
import type { Summary } from '../../collect/index.ts';
import { formatRate, plural, speedText } from '../formatters.ts';
import { emptyText, isCutShort, lackText } from '../incomplete.ts';
import { healthWarnings } from './health-warnings.ts';
import { latencyTable } from './latency-table.ts';
import { type Look, type LookOptions, labelled, lookOf, wrapped } from './layout.ts';
import { stageLines } from './stages.ts';
import { sections } from './summary-sections.ts';

interface SummaryTableOptions extends LookOptions {
  /** Address or name of the service; default: its address in the journal, or else the name of the profile there. */
  readonly target?: string;
  /** The run's folder, for the last line; absent: no such line. */
  readonly folder?: string;
}

const WARNINGS_SHOWN = 3;
/** Longer warnings are cut. */
export const WARNING_CHARACTERS = 130;

/** Renders the summary: at most 45 lines at 80 columns, and 20 more if the plan has stages. Ends with a newline. */
export function renderSummary(summary: Summary, options: SummaryTableOptions = {}): string {
  const look = lookOf(options);
  const lines = [
    ...heading(summary, options, look),
    '',
    ...(Object.keys(summary.operations).length === 0 ? [emptyText(summary.run)] : latencyTable(summary, look)),
    '',
    ...stageLines(summary, look),
    ...labelled(
      sections.flatMap((section) => section(summary)),
      look.columns,
    ),
    ...warningLines(healthWarnings(summary), look),
    ...(options.folder === undefined ? [] : ['', `results       ${inertText(options.folder, 1_000)}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function heading(summary: Summary, options: SummaryTableOptions, { columns, colors }: Look): string[] {
  const { run, total } = summary;
  const target = options.target ?? run.address ?? run.target;
  const lacking = isCutShort(run) ? colors.yellow : colors.red;
  const state = run.complete ? colors.green('complete') : lacking(lackText(summary));
  const against = target === undefined ? '' : ` against ${inertText(target, 60)}`;
  const warmUp = run.warmUp.exchanges > 0 ? `, ${plural(run.warmUp.exchanges, 'exchange')} of warm-up left out` : '';
  // Limits and proofs count its time, latencies the run's.
  const clock = run.clockRate === undefined ? '' : `, service clock ${speedText(run.clockRate)}`;
  const seconds = Math.max(0, run.durationUs - run.warmUpUs) / 1_000_000;
  const rate = total.count > 0 && seconds > 0 ? `, ${formatRate(total.count / seconds)}` : '';
  const facts = `${plural(run.arrivals, 'arrival')}, ${plural(run.exchanges, 'exchange')}${warmUp}${rate}, seed ${run.seed}${clock}`;
  const what = `${colors.bold(inertText(run.scenario, 64))}${against}, ${formatDuration(run.durationUs)}, ${state}`;
  return wrapped([what, facts], columns);
}

function warningLines(warnings: readonly string[], { columns, colors }: Look): string[] {
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
