import { formatDuration } from '../../base/index.ts';
import { hasOwnSpeed, type Measurements, type Summary } from '../../collect/index.ts';
import { plural, speedText } from '../formatters.ts';
import { cutShortText, isCutShort, lackText } from '../incomplete.ts';
import type { Judged } from '../judged.ts';
import { answerSection } from './answer.ts';
import { pageText } from './document.ts';
import { journeysSection } from './journeys.ts';
import { html, type Markup } from './markup.ts';
import { addressText } from './parts.ts';
import type { PictureFold } from './picture-fold.ts';
import { pictureMarkup, pictureSections } from './sections.ts';
import { stagesSection } from './stages.ts';

const NOT_JUDGED = 'This run was not judged.';

/** The text of `report.html`. `fold` and `measured` must have been fed the same records. */
export function reportPage(fold: PictureFold, measured: Measurements, judged: Judged | undefined): string {
  const summary = measured.summary();
  const { data, drawn } = fold.data(measured);
  const sections = pictureSections(measured, drawn);
  const stages = stagesSection(summary);
  const journeys = journeysSection(summary);
  return pageText({
    title: `${summary.run.scenario} · Spillway report`,
    header: html`<p class="run">${runLine(summary, drawn.clockRate)}</p>`,
    contents: [
      { id: 'answer', title: 'Answer' },
      ...(stages ? [{ id: 'stages', title: 'Stage by stage' }] : []),
      ...(journeys ? [{ id: 'journeys', title: 'Journeys' }] : []),
      ...sections,
    ],
    main: html`<section id="answer">${answerSection({ summary, judged, notJudged: NOT_JUDGED, clockRate: drawn.clockRate })}</section>
${stages}${journeys}${sections.map(pictureMarkup)}`,
    footer: footerOf(summary),
    data,
  });
}

/** One line about what ran. @param clockRate service seconds per run second */
export function runLine({ run }: Summary, clockRate: number): Markup {
  const target = run.target === undefined ? '' : ` against ${run.target}`;
  const address = run.address !== undefined && html` at ${addressText(run.address)}`;
  return html`<b>${run.scenario}</b>${target}${address} <span>· ${instantText(run.startedAt)} · ${formatDuration(run.durationUs)}${hasOwnSpeed(clockRate) && ` · the service's clock ${speedText(clockRate)}`}</span>`;
}

/** `21 Nov 2026, 12:00 UTC`; a text that is not an instant is returned unchanged. */
function instantText(instant: string): string {
  const time = Date.parse(instant);
  if (Number.isNaN(time)) return instant;
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(time)} UTC`;
}

/** @param writing whether the run is in progress */
export function footerOf(summary: Summary, writing = false): Markup {
  const { run } = summary;
  const ended = isCutShort(run) ? `of a run ${cutShortText(run)}` : lackText(summary);
  const state = run.complete ? 'complete' : writing ? 'being written' : ended;
  return html`<p>Made by ${run.tool} only from the run's journal, history.ndjson. <code>spillway report RUN</code> recreates it, byte for byte.</p>
<dl class="facts"><dt>Run</dt><dd>${run.runId}</dd><dt>Seed</dt><dd>${run.seed}</dd><dt>Node</dt><dd>${run.node}</dd><dt>Journal</dt><dd>${state}, ${plural(run.exchanges, 'exchange')}</dd></dl>`;
}
