import type { Distribution, PercentileBounds, PercentileName } from '../../../collect/index.ts';
import { formatShortDuration, plural } from '../../formatters.ts';
import { boundsText, percentileOf } from '../../percentiles.ts';
import { html, type Markup } from '../markup.ts';
import { type LogScale, logScale } from './log-scale.ts';

/** The drawn percentiles, each with its own shape. */
const drawn = ['p50', 'p90', 'p95', 'p99'] as const satisfies readonly PercentileName[];

/** A distribution, drawn on one line. */
export interface DotRow {
  readonly label: string;
  /** Noun for the samples in the tooltip: `success`, `successes`. */
  readonly of: readonly [one: string, many: string];
  readonly distribution: Distribution;
  /** Service time is drawn filled, response time hollow. */
  readonly look: 'service' | 'response';
  /** Label of the group that begins with this row. */
  readonly group?: string;
}

/** Percentiles as shapes on a common logarithmic scale, with bars for known intervals. */
export function dotPicture(rows: readonly DotRow[]): Markup {
  const scale = logScale(rows.flatMap(({ distribution: { minUs, maxUs } }) => [minUs, maxUs]));
  return html`<div class="dots">${rows.map((row) => dotRow(row, scale))}${axis(scale)}</div>`;
}

function dotRow({ label, of, distribution, look, group }: DotRow, scale: LogScale): Markup {
  const { minUs, maxUs, count } = distribution;
  const known = drawn.flatMap((name): Value[] => {
    const percentile = percentileOf(distribution, name);
    return percentile ? [{ name, us: percentile.us, bounds: percentile.bounds }] : [];
  });
  const samples = plural(count, ...of);
  const words = [
    ...known.map(({ name, us, bounds }) => {
      const between = boundsText(bounds);
      return `${name} ${formatShortDuration(us)}${between === undefined ? '' : ` (${between})`}`;
    }),
    `max ${formatShortDuration(maxUs)}`,
  ];
  return html`${group !== undefined && html`<div class="dots-group">${group}</div>`}<div class="dots-label">${label}</div>
<svg class="dots-plot ${look}" height="26" role="img" aria-label="${label}: ${words.join(', ')}; ${samples}" data-tip="${label}: ${words.join(', ')}; ${samples}">
${gridLines(scale)}<line class="range" x1="${scale.at(minUs)}%" x2="${scale.at(maxUs)}%" y1="13" y2="13"/><line class="most" x1="${scale.at(maxUs)}%" x2="${scale.at(maxUs)}%" y1="8" y2="18"/>
${known.map((value) => whisker(value, scale))}${known.map(({ name, us }) => shapeOf(name, scale.at(us)))}</svg>
`;
}

interface Value {
  readonly name: (typeof drawn)[number];
  readonly us: number;
  readonly bounds: PercentileBounds;
}

/** The interval as a bar; without an upper bound, dots continue to the edge. */
function whisker({ us, bounds: { lowUs, highUs } }: Value, scale: LogScale): Markup {
  const [low, high] = [scale.at(lowUs ?? us), scale.at(highUs ?? us)];
  const dots = (from: number, to: number) => html`<line class="unbounded" x1="${from}%" x2="${to}%" y1="13" y2="13"/>`;
  return html`${bar(low, high, 13)}${highUs === undefined && dots(high, 100)}`;
}

/** A nested svg element, so that the shape keeps its size in pixels at any width. */
function shapeOf(name: (typeof drawn)[number], x: number): Markup {
  return html`<svg x="${x}%" y="13" overflow="visible">${shapes[name]}</svg>`;
}

const shapes: Readonly<Record<(typeof drawn)[number], Markup>> = {
  p50: html`<circle class="shape" r="5"/>`,
  p90: html`<path class="shape" d="M0-6 6 0 0 6-6 0Z"/>`,
  p95: html`<rect class="shape" x="-4.5" y="-4.5" width="9" height="9"/>`,
  p99: html`<path class="shape" d="M0-6 6 5H-6Z"/>`,
};

/** Legend of the shapes. */
export const dotLegend = (): Markup => html`<ul class="legend">
${drawn.map((name) => html`<li><svg class="swatch service" width="16" height="16" aria-hidden="true"><svg x="8" y="8" overflow="visible">${shapes[name]}</svg></svg>${name}</li>`)}
<li><svg class="swatch service" width="22" height="16" aria-hidden="true"><svg x="11" y="8" overflow="visible">${shapes.p50}</svg></svg>filled: service time</li>
<li><svg class="swatch response" width="22" height="16" aria-hidden="true"><svg x="11" y="8" overflow="visible">${shapes.p50}</svg></svg>hollow: response time</li>
<li><svg class="swatch service" width="30" height="16" aria-hidden="true"><rect class="interval" x="2" width="26" y="3.5" height="9"/></svg>bounds of the percentile (95 % confidence at each end)</li>
<li><svg class="swatch service" width="30" height="16" aria-hidden="true"><line class="unbounded" x1="3" x2="28" y1="8" y2="8"/></svg>no upper bound</li>
<li><svg class="swatch" width="30" height="16" aria-hidden="true"><line class="range" x1="2" x2="28" y1="8" y2="8"/><line class="most" x1="28" x2="28" y1="3" y2="13"/></svg>minimum to maximum</li>
</ul>`;

/** A 95 % interval; ends in percent of the width. @param y vertical centre in pixels */
export const bar = (from: number, to: number, y: number): Markup =>
  html`<rect class="interval" x="${from}%" width="${Number(Math.max(0, to - from).toFixed(2))}%" y="${y - 4.5}" height="9"/>`;

export const gridLines = (scale: LogScale): Markup =>
  html`${scale.ticks.map((us) => html`<line class="grid" x1="${scale.at(us)}%" x2="${scale.at(us)}%" y1="0" y2="100%"/>`)}`;

/** The labels of the scale; those at the ends stay within the chart. */
export const axis = (scale: LogScale): Markup => html`<div class="dots-label"></div>
<svg class="dots-axis" height="20" aria-hidden="true">${scale.ticks.map((us) => {
  const x = scale.at(us);
  const anchor = x < 4 ? 'start' : x > 96 ? 'end' : 'middle';
  return html`<text x="${x}%" y="14" text-anchor="${anchor}">${tickText(us)}</text>`;
})}</svg>`;

function tickText(us: number): string {
  if (us < 1_000) return `${us} µs`;
  if (us < 1_000_000) return `${us / 1_000} ms`;
  return us < 3_600_000_000 ? `${us / 1_000_000} s` : formatShortDuration(us);
}
