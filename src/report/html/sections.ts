import { operationIds } from '../../api/index.ts';
import { formatDuration, listed } from '../../base/index.ts';
import { hasOwnSpeed, type Measurements, type Summary } from '../../collect/index.ts';
import { capital, formatCount } from '../formatters.ts';
import { html, type Markup } from './markup.ts';
import { folded } from './parts.ts';
import type { Drawn, LeftOut } from './picture-fold.ts';
import { completionPicture } from './pictures/completion.ts';
import { type DotRow, dotLegend, dotPicture } from './pictures/dots.ts';
import {
  completionTable,
  generatorTable,
  intervalTable,
  latencyTable,
  minuteTable,
  operationTable,
  quotaTable,
  turnTable,
} from './tables.ts';

/** A section with a chart, a description, a note on what was left out, and tables of the same data. */
export interface PictureSection {
  readonly id: string;
  readonly title: string;
  readonly intro: string;
  readonly picture: Markup;
  readonly leftOut: readonly string[];
  readonly tables: Markup;
}

/** An element in which page/ draws a chart. */
const drawn = (name: string): Markup =>
  html`<div class="chart" data-picture="${name}"><noscript><p>This chart needs JavaScript. The table below has the numbers.</p></noscript></div>`;

/** The chart sections of a run; those without data are omitted unless `all` is set. */
export function pictureSections(
  measured: Measurements,
  { pictures, leftOut, clockRate }: Drawn,
  all = false,
): PictureSection[] {
  const summary = measured.summary();
  const dots = latencyDots(summary) ?? (all ? nothingYet : undefined);
  const completion =
    completionPicture(measured.histograms(), summary.turns.accepted, clockRate) ?? (all ? nothingYet : undefined);
  return listed(
    requests(summary, leftOut, { clockRate, all }),
    (all || pictures.lanes) && turns(summary, leftOut),
    (all || pictures.quota) && quota(summary, leftOut),
    dots && latency(summary, dots),
    heat(measured, all || pictures.heat.service.length > 0),
    completion && completionSection(summary, completion, clockRate),
    generator(summary, leftOut),
  );
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
  intro: `Each mark is one exchange: when it was sent, and its service time on a logarithmic scale. ${
    summary.limits
      ? `Bands are windows of ${spanText(summary.limits.rate.windowUs)} on the service's clock${hasOwnSpeed(clockRate) ? ` (${formatDuration(summary.limits.rate.windowUs / clockRate)} of the run)` : ''}, labelled, where there is room, with the number of requests admitted in them${(summary.fullestWindow?.among ?? 0) > 1 ? ' in the fullest bucket' : ''}; the service's own windows may begin elsewhere, which the verdict takes into account. A bracket marks a proof.`
      : ''
  }${warmUpText(summary, ' The table by operation below excludes it.')}`,
  picture: all || summary.run.exchanges > 0 ? drawn('requests') : nothing('Nothing was sent.'),
  leftOut: [...leftOut.marks, ...leftOut.windows],
  tables: html`${operationTable(summary)}${summary.serviceMinutes.length > 0 && minuteTable(summary)}`,
});

/** Explains that charts include the warm-up, which measurements exclude. */
function warmUpText({ run }: Summary, elsewhere: string): string {
  if (run.warmUpUs <= 0) return '';
  if (run.warmUpUs >= run.durationUs)
    return ` The whole run is warm-up (${formatDuration(run.warmUpUs)} were planned).${elsewhere}`;
  return ` The warm-up, the first ${formatDuration(run.warmUpUs)} up to the dotted line, is included here.${elsewhere}`;
}

const spanText = (us: number): string => (us === 60_000_000 ? 'a minute' : formatDuration(us));

const turns = (summary: Summary, leftOut: LeftOut): PictureSection => ({
  id: 'turns',
  title: 'Turns in process',
  intro: `Each bar is a turn: solid where it was certainly in process, hatched where it may have been (pale, where there are many). A cross marks the end of a failed turn; a turn that was not seen to finish has no end. A turn is drawn above the limit line only if more than ${summary.limits ? formatCount(summary.limits.concurrency.max) : 'the limit'} were certainly in process at once.${warmUpText(summary, ' The table below excludes it.')}`,
  picture: drawn('turns'),
  leftOut: leftOut.lanes,
  tables: turnTable(summary),
});

const quota = (summary: Summary, leftOut: LeftOut): PictureSection => ({
  id: 'quota',
  title: 'Daily quota',
  intro:
    "New messages accepted per day of the service's clock (UTC), against the quota. Triangles are messages refused by the quota.",
  picture: drawn('quota'),
  leftOut: leftOut.quota,
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
    'Latency of successful requests, by operation, on a logarithmic scale. Service time runs from sending to the last byte. Response time runs from the intended send time, so that a stall which delays later requests stays visible (no coordinated omission). A percentile is shown only if there are enough samples for it; the pale bar is its 95 % bounds, wider where latency varied over time.',
  picture,
  leftOut: [],
  tables: latencyTable(summary),
});

const heat = (measured: Measurements, hasCells: boolean): PictureSection => ({
  id: 'heat',
  title: 'Latency over time',
  intro: `Heat map of successful requests: run time (horizontal) and latency on a logarithmic scale (vertical). The stronger the colour of a cell, the more requests it contains. Every success is counted.${warmUpText(measured.summary(), '')}`,
  picture: hasCells ? drawn('heat') : nothing('No request succeeded.'),
  leftOut: [],
  tables: intervalTable(measured.intervals()),
});

const completionSection = (summary: Summary, picture: Markup, clockRate: number): PictureSection => ({
  id: 'completion',
  title: 'Turn completion',
  intro: `The share of all ${formatCount(summary.turns.accepted)} accepted turns known to be complete, by time since acceptance, on a logarithmic scale${notCompleted(summary.turns)}. A stream gives the moment of completion; polling only the interval between two polls${
    summary.turns.completionBounds
      ? `, which ends ${formatDuration(summary.turns.completionBounds.longest.maxUs)} after acceptance at the latest`
      : ''
  }.`,
  picture,
  leftOut: [],
  tables: completionTable(summary, clockRate),
});

/** Accepted turns that are not on any curve. */
function notCompleted({ completed, completion, failed, unfinished, serverLatency }: Summary['turns']): string {
  const reported = serverLatency ? `, unless the service reports how long ${failed === 1 ? 'it' : 'they'} took` : '';
  const unknown = completed - (completion?.count ?? 0);
  const parts = listed(
    unknown > 0 && `${formatCount(unknown)} with unknown time of acceptance`,
    failed > 0 && `${formatCount(failed)} failed${reported}`,
    unfinished > 0 && `${formatCount(unfinished)} not seen to finish`,
  );
  return parts.length === 0 ? '' : ` (not on a curve: ${parts.join(', ')})`;
}

const generator = (summary: Summary, leftOut: LeftOut): PictureSection => ({
  id: 'generator',
  title: 'Generator',
  intro: `Whether the measurements can be trusted: how late the generator’s event loop and schedule were (logarithmic scale), and how much CPU it used${summary.health.workers === undefined ? '' : `; of ${summary.health.workers} workers, the worst at each time`}.`,
  picture: drawn('generator'),
  leftOut: leftOut.generator,
  tables: generatorTable(summary),
});

/** A section of the page. Its parts have ids, so that the live page can update them. */
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
${folded('Show as table', html`<div id="${id}-tables">${tables}</div>`)}</section>
`;

export const leftOutText = (leftOut: readonly string[]): string =>
  leftOut.map((text) => (text.endsWith('.') ? text : `${capital(text)}.`)).join(' ');
