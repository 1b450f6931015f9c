import {
  type Distribution,
  failuresIn,
  type PercentileName,
  type StageState,
  type Summary,
} from '../../collect/index.ts';
import { formatCount, formatShare } from '../formatters.ts';
import { fellBehindText, kneeText, StageTexts } from '../stages-text.ts';
import { html, type Markup } from './markup.ts';
import { badge, type Mood, table } from './parts.ts';
import { number, percentileCell } from './tables.ts';

/** The results of the stages of the plan, and where an increasing load became too high; `undefined` if there is only one stage. */
export function stagesSection(summary: Summary): Markup | undefined {
  if (!summary.stages) return undefined;
  const [knee, behind] = [kneeText(summary), fellBehindText(summary)];
  const held =
    ' A stage held if every arrival was started, every journey reached its end, nothing was refused or failed, and unanswered requests did not pile up. How long the answers took does not matter here; use gates for it.';
  return html`<section id="stages" aria-labelledby="stages-title">
<h2 id="stages-title">Stage by stage</h2>
${knee !== undefined && html`<p class="lead"><b>Knee:</b> ${knee}.</p>`}${behind !== undefined && html`<p class="lead"><b>Fell behind:</b> ${behind}.</p>`}
<p class="intro">An exchange counts in the stage in which it was intended, a journey in that of its arrival; the achieved rate counts journeys that were completed in it, whenever they arrived.${knee !== undefined && held} The charts below have a line at the start of each stage.</p>
${stageTable(summary)}</section>
`;
}

const stageMoods = {
  held: ['good', 'Held'],
  'gave-in': ['bad', 'Gave in'],
  untold: ['open', 'Undecided'],
} as const satisfies Readonly<Record<StageState, readonly [Mood, string]>>;

function stageTable({ stages = [], knee }: Summary): Markup {
  const texts = new StageTexts(stages);
  const titles = [
    'Planned',
    'Journeys',
    'Achieved',
    'Refused',
    'Failed',
    'Service p90',
    'Response p50',
    'Response p90',
  ];
  return table(
    'The stages of the plan: planned arrival rates or users, and the rates at which journeys were completed in them',
    // Without an increasing load, refusals may be intended, so there is no state.
    [{ title: 'Stage' }, ...(knee ? [{ title: 'State' }] : []), ...titles.map(number)],
    stages.map((stage) => {
      const { byOutcome, exchanges, journeys, arrivals, perMinute, latency } = stage;
      const [mood, word] = stageMoods[stage.state];
      const share = (count: number) => `${formatCount(count)} (${formatShare(count, exchanges)})`;
      const time = (distribution: Distribution | undefined, name: PercentileName) =>
        distribution && percentileCell(distribution, name);
      return [
        html`<span class="name">${stage.name}</span>`,
        ...(knee ? [badge(mood, word)] : []),
        texts.planned(stage) || undefined,
        `${formatCount(journeys.completed)} of ${formatCount(arrivals)}`,
        texts.rate(perMinute?.completedJourneys),
        share(byOutcome.refused),
        share(failuresIn(stage)),
        time(latency?.service, 'p90'),
        time(latency?.response, 'p50'),
        time(latency?.response, 'p90'),
      ];
    }),
  );
}
