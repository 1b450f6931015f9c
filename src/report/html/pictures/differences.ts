import { listed } from '../../../base/index.ts';
import { differenceText, type MetricComparison, type Slack } from '../../../gates/index.ts';
import { html, type Markup } from '../markup.ts';
import { metricName } from '../parts.ts';
import { bar } from './dots.ts';

/** Maximum of the scale, as a share of the base. Values beyond it are shown by dots at the edge. */
const WIDEST = 2;
/** Minimum of the scale, so that tiny differences do not look large. */
const NARROWEST = 0.1;

/** A difference and its interval; for times and counts, relative to the base's value. */
interface Row {
  readonly metric: MetricComparison;
  readonly at: number;
  readonly low?: number;
  readonly high?: number;
  /** Half the width of the slack. */
  readonly slack: number;
}

/** Chart of differences: a line for each with its estimate, its 95 % interval, and the slack as a band. */
export function differencePicture(metrics: readonly MetricComparison[], slack: Slack): Markup {
  const groups = [
    { title: 'Times and counts, relative to the base', rows: metrics.flatMap((one) => relativeRow(one, slack)) },
    { title: 'Shares, in points', rows: metrics.flatMap((one) => shareRow(one, slack)) },
  ];
  return html`<div class="dots differences">${groups.map(({ title, rows }) => rows.length > 0 && groupOf(title, rows))}</div>`;
}

function relativeRow(metric: MetricComparison, slack: Slack): Row[] {
  const { unit, base, difference, interval } = metric;
  if (unit === 'share' || difference?.relative === undefined || base === undefined || base === 0) return [];
  const absolute = unit === 'ms' ? slack.absoluteMs / base : 0;
  const ends = interval && { low: interval.low.relative, high: interval.high.relative };
  return [rowOf(metric, difference.relative, ends, Math.max(slack.relative, absolute))];
}

function shareRow(metric: MetricComparison, { absoluteShare }: Slack): Row[] {
  const { unit, difference, interval } = metric;
  if (unit !== 'share' || difference === undefined) return [];
  const ends = interval && { low: interval.low.absolute, high: interval.high.absolute };
  return [rowOf(metric, difference.absolute, ends, absoluteShare)];
}

function rowOf(
  metric: MetricComparison,
  at: number,
  ends: { readonly low: number | undefined; readonly high: number | undefined } | undefined,
  slack: number,
): Row {
  const { low, high } = ends ?? {};
  return { metric, at, slack, ...(low !== undefined && { low }), ...(high !== undefined && { high }) };
}

function groupOf(title: string, rows: readonly Row[]): Markup {
  const reach = rows.flatMap(({ at, low = 0, high = 0, slack }) => [
    Math.abs(at),
    Math.abs(low),
    Math.abs(high),
    1.5 * slack,
  ]);
  const extent = Math.min(WIDEST, Math.max(NARROWEST, ...reach) * 1.08);
  const x = (value: number): number =>
    Number((50 + (50 * Math.max(-extent, Math.min(extent, value))) / extent).toFixed(2));
  const tick = roundBelow(0.7 * extent);
  const inPoints = rows[0]?.metric.unit === 'share';
  return html`<div class="dots-group">${title}</div>${rows.map((row) => line(row, x, extent))}<div class="dots-label"></div>
<svg class="dots-axis" height="20" aria-hidden="true">${[-tick, 0, tick].map(
    (value) => html`<text x="${x(value)}%" y="14" text-anchor="middle">${tickText(value, inPoints)}</text>`,
  )}</svg>`;
}

/** The largest value of the form 1, 2 or 5 × 10^n that is not above `value`. */
function roundBelow(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const digit = [5, 2, 1].find((one) => one * power <= value) ?? 1;
  return digit * power;
}

function line({ metric, at, low, high, slack }: Row, x: (value: number) => number, extent: number): Markup {
  const { unit, difference, interval, verdict } = metric;
  const words = listed(
    `${metric.metric}: ${verdict}`,
    difference && differenceText(difference, unit),
    interval && `95 % interval ${differenceText(interval.low, unit)} to ${differenceText(interval.high, unit)}`,
  ).join(', ');
  return html`<div class="dots-label">${metricName(metric.metric)}</div>
<svg class="dots-plot ${looks[verdict]}" height="28" role="img" aria-label="${words}" data-tip="${words}">
<rect class="slack" x="${x(-slack)}%" width="${Number((x(slack) - x(-slack)).toFixed(2))}%" y="0" height="28"/><line class="zero" x1="50%" x2="50%" y1="0" y2="28"/>
${low !== undefined && high !== undefined && bar(x(low), x(high), 14)}${(low ?? at) < -extent && html`<line class="unbounded" x1="0%" x2="4%" y1="14" y2="14"/>`}${(high ?? at) > extent && html`<line class="unbounded" x1="96%" x2="100%" y1="14" y2="14"/>`}
<svg x="${x(at)}%" y="14" overflow="visible">${shapes[verdict]}</svg></svg>
`;
}

const looks = { better: 'better', worse: 'worse', same: 'same', 'cannot tell': 'untold' } as const;

/** One shape per verdict, because colour must not be the only cue. */
const shapes: Readonly<Record<MetricComparison['verdict'], Markup>> = {
  worse: html`<path class="shape" d="M0-6 6 5H-6Z"/>`,
  better: html`<path class="shape" d="M0 6 6-5H-6Z"/>`,
  same: html`<circle class="shape" r="5"/>`,
  'cannot tell': html`<path class="shape" d="M0-6 6 0 0 6-6 0Z"/>`,
};

/** Legend of the shapes and the band. */
export const differenceLegend = (): Markup => html`<ul class="legend">
${(['worse', 'better', 'same', 'cannot tell'] as const).map(
  (verdict) =>
    html`<li><svg class="swatch ${looks[verdict]}" width="16" height="16" aria-hidden="true"><svg x="8" y="8" overflow="visible">${shapes[verdict]}</svg></svg>${verdict}</li>`,
)}
<li><svg class="swatch untold" width="30" height="16" aria-hidden="true"><rect class="interval" x="2" width="26" y="3.5" height="9"/></svg>95 % interval of the difference, in its verdict's colour</li>
<li><svg class="swatch" width="30" height="16" aria-hidden="true"><rect class="slack" x="2" y="1" width="26" height="14"/></svg>too small to matter</li>
</ul>`;

function tickText(value: number, inPoints: boolean): string {
  const text = `${Number((100 * value).toPrecision(2))} ${inPoints ? 'points' : '%'}`;
  return value > 0 ? `+${text}` : value === 0 ? 'as the base' : text;
}
