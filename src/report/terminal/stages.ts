import { inertText } from '../../base/index.ts';
import type { StageSummary, Summary } from '../../collect/index.ts';
import { formatShare, formatShortCount, plural } from '../formatters.ts';
import { percentileText } from '../percentiles.ts';
import { refusalTitle } from '../refusal-titles.ts';
import { fellBehindText, kneeText, StageTexts, stagesShown, stageWords } from '../stages-text.ts';
import { type Colors, type LayoutColumn, type Look, labelled, layOut } from './layout.ts';

/** Maximum number of stages, so that the summary fits one screen. */
const MOST = 8;
const LONGEST_NAME = 40;

const SHORTEST_NAME = 12;

const right = (width: number): LayoutColumn => ({ width, align: 'right' });
/** All columns of numbers but the planned load. */
const numbers = [9, 10, 7, 7, 9, 8].map(right);
const widthOf = (columns: readonly LayoutColumn[]): number => columns.reduce((sum, { width }) => sum + width, 0);
const WIDTH_OF_PLANNED = 13;
/** Below this width, numbers are printed below the names. */
const SIDE_BY_SIDE = 80;

/** Widths of the names and of the planned loads, which are longest where rates and users are mixed. */
function widthsOf(planned: readonly string[], columns: number): readonly [name: number, planned: number] {
  const longest = Math.max(...planned.map(({ length }) => length + 1));
  const isNarrow = columns < SIDE_BY_SIDE;
  // On a narrow terminal the line with the planned load has the next three numbers.
  const room = columns - (isNarrow ? widthOf(numbers.slice(0, 3)) : widthOf(numbers) + SHORTEST_NAME);
  const width = Math.max(WIDTH_OF_PLANNED, Math.min(longest, room));
  return [Math.min(LONGEST_NAME, columns - (isNarrow ? 0 : widthOf(numbers) + width)), width];
}

/** A stage in three lines, each of which fits the narrowest terminal. */
const belowOneAnother = (layout: readonly LayoutColumn[], cells: readonly string[]): string[] =>
  [[0, 1] as const, [1, 5] as const, [5, 8] as const].flatMap(([from, to]) =>
    layOut(layout.slice(from, to), [cells.slice(from, to)]),
  );

/** Results of the stages, and where an increasing load became too high; empty if there is only one stage. */
export function stageLines(summary: Summary, { columns, colors }: Look): string[] {
  const { stages } = summary;
  if (!stages) return [];
  const texts = new StageTexts(stages);
  const { shown, leftOut } = stagesShown(summary, MOST);
  const head = ['stage', 'planned', 'achieved', 'journeys', refusalTitle(summary), 'err', 'resp p50', 'p90'].map(
    (title) => colors.bold(title),
  );
  const [knee, behind] = [kneeText(summary), fellBehindText(summary)];
  const planned = shown.map((stage) => texts.planned(stage));
  const [name, width] = widthsOf(planned, columns);
  const look = { colors, characters: name - 3, isSigned: summary.knee !== undefined };
  const rows = [head, ...shown.map((stage) => row(stage, texts, look))];
  const layout: readonly LayoutColumn[] = [{ width: name, align: 'left' }, right(width), ...numbers];
  return [
    ...(columns < SIDE_BY_SIDE ? rows.flatMap((cells) => belowOneAnother(layout, cells)) : layOut(layout, rows)),
    ...(leftOut > 0 ? [`${plural(leftOut, 'more stage')} in stages.csv`] : []),
    ...(knee === undefined ? [] : labelled([['knee', knee]], columns)),
    ...(behind === undefined ? [] : labelled([['fell behind', behind]], columns)),
    '',
  ];
}

interface RowLook {
  readonly colors: Colors;
  /** Maximum length of a name. */
  readonly characters: number;
  /** Whether to show the state. Without an increasing load, refusals may be intended. */
  readonly isSigned: boolean;
}

function row(stage: StageSummary, texts: StageTexts, { colors, characters, isSigned }: RowLook): string[] {
  const { byOutcome, exchanges, journeys, arrivals, perMinute, latency, failedShare = 0 } = stage;
  const [sign] = stageWords[stage.state];
  const colored = { held: colors.green, 'gave-in': colors.red, untold: colors.yellow }[stage.state](sign);
  return [
    `${isSigned ? `${colored} ` : ''}${inertText(stage.name, characters)}`,
    texts.planned(stage) || '–',
    texts.rate(perMinute?.completedJourneys) ?? '–',
    `${formatShortCount(journeys.completed)}/${formatShortCount(arrivals)}`,
    byOutcome.refused > 0 ? colors.yellow(formatShare(byOutcome.refused, exchanges)) : '0',
    failedShare > 0 ? colors.red(formatShare(failedShare, 1)) : '0',
    percentileText(latency?.response, 'p50'),
    percentileText(latency?.response, 'p90'),
  ];
}
