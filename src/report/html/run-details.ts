import type { Summary } from '../../collect/index.ts';
import { capital } from '../formatters.ts';
import { detailSections } from '../terminal/summary-sections.ts';
import { html, type Markup } from './markup.ts';

/** Maximum entries per list; the files have all of them. */
const MOST_SHOWN = 20;

/**
 * Waits, drops, stopped journeys and errors, with the same texts as in the terminal. They may explain what looks like the
 * service's fault.
 */
export function runDetails(summary: Summary): Markup | undefined {
  const rows = detailSections.flatMap((section) => section(summary, MOST_SHOWN));
  if (rows.length === 0) return undefined;
  const waited = Object.keys(summary.capWaits).length > 0;
  return html`<h2>What requests waited for, and how journeys ended</h2>
${waited && html`<p class="intro">Waits before sending are on the generator's side: they are part of response times, but not of service times.</p>`}
<dl class="facts course">${rows.map(([label, text]) => html`<dt>${capital(label)}</dt><dd>${text}</dd>`)}</dl>`;
}
