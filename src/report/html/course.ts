import type { Summary } from '../../collect/index.ts';
import { capital } from '../formatters.ts';
import { courseSections } from '../terminal/summary-sections.ts';
import { html, type Markup } from './markup.ts';

/** So that a page stays a page; the files have the rest. */
const MOST_SHOWN = 20;

/** What a reader would else hold against the service, or miss: as the terminal's summary tells it. */
export function courseOfRun(summary: Summary): Markup | undefined {
  const rows = courseSections.flatMap((section) => section(summary, MOST_SHOWN));
  if (rows.length === 0) return undefined;
  const waited = Object.keys(summary.capWaits).length > 0;
  return html`<h2>What requests waited for, and how journeys ended</h2>
${waited && html`<p class="intro">What requests waited for before they were sent is the generator's side: it is in response times, and in no service time.</p>`}
<dl class="facts course">${rows.map(([label, text]) => html`<dt>${capital(label)}</dt><dd>${text}</dd>`)}</dl>`;
}
