import { type OperationId, operationIds } from '../../api/index.ts';
import { formatDuration } from '../../base/index.ts';
import {
  type Distribution,
  failuresIn,
  type OperationSummary,
  type PercentileName,
  type Summary,
} from '../../collect/index.ts';
import { capital, formatCount, formatShare, plural } from '../formatters.ts';
import { emptyText } from '../incomplete.ts';
import { percentileOf } from '../percentiles.ts';
import { refusalTitle } from '../refusal-titles.ts';
import { fellBehindText, kneeParts, StageTexts, stagesShown, stageWords } from '../stages-text.ts';
import { code, prose, table } from './markdown-text.ts';
import type { JudgedRun } from './output.ts';

/** `281 ms (250 ms to 310 ms)`; `–` with too few samples. */
function percentile(distribution: Distribution | undefined, name: PercentileName): string {
  const value = percentileOf(distribution, name);
  if (!value) return '–';
  const { lowUs, highUs } = value.bounds;
  const low = lowUs === undefined ? '0 ms' : formatDuration(lowUs);
  const bounds =
    lowUs === undefined && highUs === undefined
      ? ''
      : highUs === undefined
        ? ` (${low} or more)`
        : ` (${low} to ${formatDuration(highUs)})`;
  return `${formatDuration(value.us)}${bounds}`;
}

/** The latency of each operation, and of turns. */
export function latencySection({ summary }: JudgedRun): string[] {
  const operations = operationIds.flatMap((id) => operationRow(id, summary.operations[id]));
  if (operations.length === 0) return [`${capital(emptyText(summary.run))}.`, ''];
  return [
    '### Latency',
    '',
    ...table(
      ['', 'count', refusalTitle(summary, 'refused'), 'errors', 'service p50', 'service p90', 'response p90'],
      [...operations, ...turnsRow(summary.turns)],
    ),
    '',
    'In brackets: 95 % bounds, which assume independent samples unless `summary.json` says otherwise. – means too few samples.',
    '',
  ];
}

function operationRow(id: OperationId, operation: OperationSummary | undefined): string[][] {
  if (!operation) return [];
  const { service, response } = operation.latency.success ?? {};
  return [
    [
      code(id),
      formatCount(operation.count),
      formatCount(operation.byOutcome.refused),
      formatCount(failuresIn(operation)),
      percentile(service, 'p50'),
      percentile(service, 'p90'),
      percentile(response, 'p90'),
    ],
  ];
}

function turnsRow({ completion, failed }: Summary['turns']): string[][] {
  if (!completion) return [];
  const [p50, p90] = [percentile(completion, 'p50'), percentile(completion, 'p90')];
  return [['turn completion', formatCount(completion.count), '', formatCount(failed), p50, p90, '']];
}

/** Maximum number of stages. */
const STAGES_SHOWN = 30;

/** The stages of a load profile; empty without them. */
export function stagesSection({ summary }: JudgedRun): string[] {
  const { stages } = summary;
  if (!stages) return [];
  const texts = new StageTexts(stages);
  const { shown, leftOut } = stagesShown(summary, STAGES_SHOWN);
  const [knee, behind] = [kneeParts(summary), fellBehindText(summary)];
  const refused = refusalTitle(summary, 'refused');
  const titles = ['stage', 'planned', 'achieved', 'journeys', refused, 'errors', 'service p90', 'response p90'];
  const rows = shown.map((stage) => {
    const { byOutcome, exchanges, journeys, arrivals, perMinute, latency } = stage;
    const [sign, word] = stageWords[stage.state];
    return [
      ...(knee ? [`${sign} ${word}`] : []),
      code(stage.name),
      texts.planned(stage) || '–',
      texts.rate(perMinute?.completedJourneys) ?? '–',
      `${formatCount(journeys.completed)} of ${formatCount(arrivals)}`,
      `${formatCount(byOutcome.refused)} (${formatShare(byOutcome.refused, exchanges)})`,
      formatCount(failuresIn(stage)),
      percentile(latency?.service, 'p90'),
      percentile(latency?.response, 'p90'),
    ];
  });
  return [
    '### Stages',
    '',
    ...(knee === undefined ? [] : [`Knee: ${knee.map(prose).join('; ')}.`, '']),
    ...(behind === undefined ? [] : [`Fell behind: ${prose(behind)}.`, '']),
    ...table([...(knee ? [''] : []), ...titles], rows),
    ...(leftOut > 0 ? ['', `${plural(leftOut, 'more stage')} in \`stages.csv\`.`] : []),
    '',
  ];
}
