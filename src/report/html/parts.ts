import { html, type Markup } from './markup.ts';

/** Tone of a statement. It is never shown by colour alone, but also by a sign and a word. */
export type Mood = 'good' | 'bad' | 'open' | 'warn';

const signs: Readonly<Record<Mood, Markup>> = {
  good: html`<path d="M3.5 8.5l3 3 6-7"/>`,
  bad: html`<path d="M4 4l8 8M12 4l-8 8"/>`,
  open: html`<path d="M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.6M8 12.4v.2"/>`,
  warn: html`<path d="M8 3.5v6M8 12.3v.2"/>`,
};

export const badge = (mood: Mood, word: string): Markup =>
  html`<span class="badge ${mood}"><svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">${signs[mood]}</svg>${word}</span>`;

/** Parts of a text between which it may be wrapped. */
const wrappable = (parts: readonly string[]): Markup =>
  html`${parts.map((part, i) => html`${i > 0 && html`<wbr>`}${part}`)}`;

/** The name of a metric or gate, which may be wrapped between its tags. */
export const metricName = (name: string): Markup => wrappable(name.split(/(?<=[{,])/));

/** A text with an address, which may be wrapped after its scheme and before its labels and port, so that no number is divided. */
export const addressText = (text: string): Markup => wrappable(text.split(/(?<=:\/\/)|(?<=\w)(?=[.:/]\w)/));

export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** Whether it contains sentences and so needs width. On a narrow screen each row of such a table is shown as a list. */
  readonly words?: boolean;
}

/** A table that scrolls horizontally on a narrow screen, by touch and by keyboard. */
export function table(
  caption: string,
  columns: readonly Column[],
  rows: readonly (readonly (string | number | Markup | undefined)[])[],
): Markup {
  const titled = columns.some(({ words }) => words);
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table><caption>${caption}</caption>
<thead><tr>${columns.map((column) => html`<th scope="col" class="${classOf(column)}">${column.title}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>${row.map((cell, i) => tableCell(cell, columns[i] ?? { title: '' }, i === 0, titled))}</tr>
`,
  )}</tbody></table></div>`;
}

const classOf = ({ align, words }: Column): string => (words ? 'words' : (align ?? ''));

const tableCell = (
  cell: string | number | Markup | undefined,
  column: Column,
  heads: boolean,
  titled: boolean,
): Markup =>
  heads
    ? html`<th scope="row" class="${classOf(column)}">${cell ?? '–'}</th>`
    : html`<td class="${classOf(column)}"${titled && html` data-title="${column.title}"`}>${cell ?? '–'}</td>`;

/** Content that is collapsed by default, but open in print. */
export const folded = (summary: string, content: Markup): Markup =>
  html`<details><summary>${summary}</summary>${content}</details>`;

/** A key figure: its name, its value, and a few words that explain it. */
export type Figure = readonly [name: string, value: string, more: string];

/** Key figures side by side. @param columns how many in a row on a wide screen */
export const figureList = (figures: readonly Figure[], columns: number): Markup =>
  html`<dl class="figures columns-${columns}">${figures.map(([name, value, more]) => html`<div><dt>${name}</dt><dd><b>${value}</b> <small>${more}</small></dd></div>`)}</dl>`;
