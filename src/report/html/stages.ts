import type { Summary } from '../../collect/index.ts';
import { kneeText } from '../stages-text.ts';
import { html, type Markup } from './markup.ts';
import { stageTable } from './tables.ts';

/** What came of each stage of the plan, and where a rising load was too much; `undefined` where there is but one. */
export function stagesSection(summary: Summary): Markup | undefined {
  const { stages } = summary;
  if (!stages) return undefined;
  const knee = kneeText(summary);
  return html`<section id="stages" aria-labelledby="stages-title">
<h2 id="stages-title">Stage by stage</h2>
${knee !== undefined && html`<p class="lead"><b>Knee:</b> ${knee}.</p>`}
<p class="intro">An exchange counts in the stage in which it was intended, a journey in that of its arrival. A stage held where every arrival was started, every journey reached its end, and nothing was refused or failed: how slow is too slow is for a gate to say. The pictures below have a line where each begins.</p>
${stageTable(stages)}</section>
`;
}
