import { operationIds } from '../../api/index.ts';
import { formatDuration } from '../../base/index.ts';
import type { Measurements, Summary } from '../../collect/index.ts';
import { formatCount } from '../formatters.ts';
import { hasOwnSpeed } from './clock-speed.ts';
import { html, type Markup } from './markup.ts';
import { folded } from './parts.ts';
import type { Drawn, LeftOut } from './picture-fold.ts';
import { completionPicture } from './pictures/completion.ts';
import { type DotRow, dotLegend, dotPicture } from './pictures/dots.ts';
import {
  completionTable,
  generatorTable,
  latencyTable,
  minuteTable,
  operationTable,
  quotaTable,
  stretchTable,
  turnTable,
} from './tables.ts';

/** A section with a picture: what it shows, the picture, what was left out, and the same as a table. */
export interface PictureSection {
  readonly id: string;
  readonly title: string;
  readonly intro: string;
  readonly picture: Markup;
  readonly leftOut: readonly string[];
  readonly tables: Markup;
}

/** A place that page/ draws a picture in. */
const drawn = (name: string): Markup =>
  html`<div class="chart" data-picture="${name}"><noscript><p>Drawn by the page's script, which does not run here. The table below has the numbers.</p></noscript></div>`;

/** Every picture of a run, those that have nothing to show left out unless `all` are wanted. */
export function pictureSections(
  measured: Measurements,
  { pictures, leftOut, clockRate }: Drawn,
  all = false,
): PictureSection[] {
  const summary = measured.summary();
  const dots = latencyDots(summary) ?? (all ? nothingYet : undefined);
  const completion =
    completionPicture(measured.histograms(), summary.turns.accepted, clockRate) ?? (all ? nothingYet : undefined);
  return [
    requests(summary, leftOut, { clockRate, all }),
    ...(all || pictures.lanes ? [turns(summary, leftOut)] : []),
    ...(all || pictures.quota ? [quota(summary, leftOut)] : []),
    ...(dots ? [latency(summary, dots)] : []),
    heat(measured, all || pictures.heat.service.length > 0),
    ...(completion ? [completionSection(summary, completion, clockRate)] : []),
    generator(summary, leftOut),
  ];
}

const nothing = (words: string): Markup => html`<p>${words}</p>`;
const nothingYet = nothing('Nothing to show yet.');

const requests = (
  summary: Summary,
  leftOut: LeftOut,
  { clockRate, all }: { readonly clockRate: number; readonly all: boolean },
): PictureSection => ({
  id: 'requests',
  title: 'Requests over time',
  intro: `Each mark is one exchange: when it was sent, and how long the service took, on a logarithmic scale. ${
    summary.limits
      ? `Bands are windows of ${spanText(summary.limits.rate.windowUs)} on the service's clock${hasOwnSpeed(clockRate) ? ` (${formatDuration(summary.limits.rate.windowUs / clockRate)} of the run)` : ''}, with the requests admitted in them where there is room${(summary.fullestWindow?.among ?? 0) > 1 ? ' of whoever had the most' : ''}; where the service's own windows begin, only the verdict can say. A bracket is a proof.`
      : ''
  }${warmUpText(summary, ' The operations of the table below leave it out.')}`,
  picture: all || summary.run.exchanges > 0 ? drawn('requests') : nothing('Nothing was sent.'),
  leftOut: [...(leftOut.marks ?? []), ...(leftOut.windows ?? [])],
  tables: html`${operationTable(summary)}${summary.serviceMinutes.length > 0 && minuteTable(summary)}`,
});

/** Time is drawn from the run's beginning; what is measured begins later. */
function warmUpText({ run }: Summary, elsewhere: string): string {
  if (run.warmUpUs <= 0) return '';
  if (run.warmUpUs >= run.durationUs)
    return ` All of it is warm-up, of which ${formatDuration(run.warmUpUs)} were planned.${elsewhere}`;
  return ` The first ${formatDuration(run.warmUpUs)}, the warm-up, are drawn and counted here, too, up to the dotted line.${elsewhere}`;
}

const spanText = (us: number): string => (us === 60_000_000 ? 'a minute' : formatDuration(us));

const turns = (summary: Summary, leftOut: LeftOut): PictureSection => ({
  id: 'turns',
  title: 'Turns in process',
  intro: `Each bar is a turn: solid where it was certainly in process, hatched where it may have been (pale, where there are many). A cross is at the end of one that failed; one that was not seen to finish has no end. A turn takes a lane above the line only where more than ${summary.limits ? formatCount(summary.limits.concurrency.max) : 'the limit'} were certainly in process at once.${warmUpText(summary, ' The table below leaves it out.')}`,
  picture: drawn('turns'),
  leftOut: leftOut.lanes ?? [],
  tables: turnTable(summary),
});

const quota = (summary: Summary, leftOut: LeftOut): PictureSection => ({
  id: 'quota',
  title: 'Daily quota',
  intro:
    "New messages accepted, day by day of the service's clock (UTC), against the quota. Triangles are messages that the quota refused.",
  picture: drawn('quota'),
  leftOut: leftOut.quota ?? [],
  tables: quotaTable(summary),
});

function latencyDots(summary: Summary): Markup | undefined {
  const of = ['success', 'successes'] as const;
  const rows = operationIds.flatMap((id): DotRow[] => {
    const latency = summary.operations[id]?.latency.success;
    if (!latency) return [];
    return [
      { group: id, label: 'service', of, distribution: latency.service, look: 'service' },
      { label: 'response', of, distribution: latency.response, look: 'response' },
    ];
  });
  return rows.length === 0 ? undefined : html`${dotLegend()}${dotPicture(rows)}`;
}

const latency = (summary: Summary, picture: Markup): PictureSection => ({
  id: 'latency',
  title: 'Latency',
  intro:
    'Of successes, by operation. Service time runs from sending to the last byte; response time from the moment at which the request was meant to be sent, so that a stall cannot hide itself. The scale is logarithmic. A percentile stands here only where its samples can carry it; the pale bar behind it takes them as independent, or is wider where stretches of time differed more.',
  picture,
  leftOut: [],
  tables: latencyTable(summary),
});

const heat = (measured: Measurements, hasCells: boolean): PictureSection => ({
  id: 'heat',
  title: 'Latency over time',
  intro: `How many successes took how long (on a logarithmic scale), when: the more a cell stands out, the more. Every success is counted.${warmUpText(measured.summary(), '')}`,
  picture: hasCells ? drawn('heat') : nothing('No request succeeded.'),
  leftOut: [],
  tables: stretchTable(measured.intervals()),
});

const completionSection = (summary: Summary, picture: Markup, clockRate: number): PictureSection => ({
  id: 'completion',
  title: 'Turn completion',
  intro: `The share of all ${formatCount(summary.turns.accepted)} accepted turns that were known to be complete, by the time since their acceptance, on a logarithmic scale${notCompleted(summary.turns)}. A stream tells the moment; a poll only that it lay between two polls${
    summary.turns.completionBounds
      ? `: up to ${formatDuration(summary.turns.completionBounds.longest.maxUs)} at the most`
      : ''
  }.`,
  picture,
  leftOut: [],
  tables: completionTable(summary, clockRate),
});

/** Turns in the whole that are on no curve. */
function notCompleted({ completed, completion, failed, unfinished }: Summary['turns']): string {
  const unknown = completed - (completion?.count ?? 0);
  const parts = [
    ...(unknown > 0 ? [`${formatCount(unknown)} of which nobody knows when they were accepted`] : []),
    ...(failed > 0 ? [`${formatCount(failed)} failed`] : []),
    ...(unfinished > 0 ? [`${formatCount(unfinished)} not seen to finish`] : []),
  ];
  return parts.length === 0 ? '' : ` (on no curve: ${parts.join(', ')})`;
}

const generator = (summary: Summary, leftOut: LeftOut): PictureSection => ({
  id: 'generator',
  title: 'The generator itself',
  intro:
    'Whether its numbers can be believed: how late its event loop and its schedule were, and how busy it was. Its own delays, on a logarithmic scale, are never the service’s.',
  picture: drawn('generator'),
  leftOut: leftOut.generator ?? [],
  tables: generatorTable(summary),
});

/** A section of the page. Its inner places have ids, so that the live page can fill them again. */
export const pictureMarkup = ({
  id,
  title,
  intro,
  picture,
  leftOut,
  tables,
}: PictureSection): Markup => html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2><p class="intro" id="${id}-intro">${intro}</p>
<figure><div id="${id}-picture">${picture}</div><figcaption id="${id}-left-out">${leftOutText(leftOut)}</figcaption></figure>
${folded('The same as a table', html`<div id="${id}-tables">${tables}</div>`)}</section>
`;

export const leftOutText = (leftOut: readonly string[]): string =>
  leftOut.map((text) => (text.endsWith('.') ? text : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`)).join(' ');
