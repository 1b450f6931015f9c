import type uPlot from 'uplot';
import type { Quota } from '../../html/page-data.ts';
import { drawBrackets } from '../drawing/bracket.ts';
import { drawLimitLine } from '../drawing/limit-line.ts';
import { lineLegend } from '../drawing/line-legend.ts';
import { clip } from '../drawing/plot-options.ts';
import { fromZero } from '../drawing/scales.ts';
import { ShapeBatch } from '../drawing/shapes.ts';
import { theme } from '../drawing/theme.ts';
import { type TimeChart, timeChart } from '../drawing/timeline.ts';
import { drawVerticalLine } from '../drawing/vertical-line.ts';
import type { PageState } from '../page-state.ts';
import { range } from '../range.ts';
import { showTip } from '../tip.ts';
import { countText, instantText } from '../words.ts';

const dashes = [[], [9, 4], [2, 3], [12, 3, 2, 3]] as const;
const colors = ['success', 'concurrency'] as const;

/** Eight distinct line styles, for the maximum number of lines. */
const lookOf = (line: number) => ({
  dash: dashes[line % dashes.length] ?? [],
  color: colors[Math.floor(line / dashes.length) % colors.length] ?? 'success',
});

/** Chart of the daily quota: accepted messages as step lines. */
export class QuotaPicture {
  readonly #state: PageState;
  readonly #chart: TimeChart;
  #legend = lineLegend([]);

  constructor(host: HTMLElement, state: PageState) {
    this.#state = state;
    host.append(this.#legend);
    this.#updateLegend();
    this.#chart = timeChart(host, {
      height: () => 240,
      label: () => this.#label(),
      y: fromZero(
        () => Math.max(this.#quota?.max ?? 1, ...this.#heights()),
        (value) => countText(value),
      ),
      headroom: () => this.#brackets().length > 0,
      draw: (u) => this.#draw(u),
      hover: (u, left, _, event) => this.#hover(u.posToVal(left, 'x') * 1e6, event),
    });
  }

  update(): void {
    this.#updateLegend();
    this.#chart.update();
  }

  /** Always anew: during a run, the line with the most messages comes first. */
  #updateLegend(): void {
    const lines = this.#quota?.lines ?? [];
    const legend = lineLegend(lines.map(({ name }, i) => ({ label: name, ...lookOf(i) })));
    this.#legend.replaceWith(legend);
    this.#legend = legend;
  }

  resize(width?: number): void {
    this.#chart.resize(width);
  }

  get #quota() {
    return this.#state.pictures.quota;
  }

  #brackets() {
    return this.#state.pictures.brackets.filter(({ limit }) => limit === 'daily');
  }

  #heights(): number[] {
    return (this.#quota?.lines ?? []).map(({ points }) => points.at(-1) ?? 0);
  }

  #label(): string {
    const lines = (this.#quota?.lines ?? []).map(
      ({ name, points }) => `${name}: ${countText(points.at(-1) ?? 0)} accepted`,
    );
    return `New messages accepted over time, quota ${countText(this.#quota?.max ?? 0)} a day. ${lines.join('; ')}.`;
  }

  #draw(u: uPlot): void {
    const quota = this.#quota;
    if (!quota) return;
    drawBrackets(u, this.#brackets());
    clip(u, () => {
      for (const [i, line] of quota.lines.entries()) drawSteps(u, line, i);
      for (const at of quota.midnights) drawVerticalLine(u, u.valToPos(at / 1e6, 'x', true), theme.faint, [3, 3]);
      const batch = new ShapeBatch(3.5 * devicePixelRatio, false);
      const top = u.valToPos(quota.max, 'y', true);
      for (const at of quota.refused) batch.add('daily', u.valToPos(at / 1e6, 'x', true), top - 8 * devicePixelRatio);
      batch.draw(u.ctx);
    });
    drawLimitLine(u, quota.max, `quota: ${countText(quota.max)} a day`, 'below');
  }

  #hover(at: number, event: PointerEvent): void {
    const quota = this.#quota;
    if (!quota) return;
    const lines = quota.lines.flatMap(({ name, points, to }) => {
      const used = usedBy(points, at);
      return used === 0 || at >= to ? [] : [`${name}: ${countText(used)} of ${countText(quota.max)}`];
    });
    const refused = quota.refused.filter((one) => one <= at).length * quota.refusedStride;
    const about = quota.refusedStride > 1 ? 'about ' : '';
    if (refused > 0) lines.push(`${about}${countText(refused)} refused by the quota so far`);
    if (lines.length > 0) showTip({ title: `At ${instantText(at)}`, lines }, event.clientX, event.clientY);
  }
}

function usedBy(points: readonly number[], at: number): number {
  let used = 0;
  for (let i = 0; i < points.length && (points[i] ?? 0) <= at; i += 2) used = points[i + 1] ?? 0;
  return used;
}

/** Draws the step line of one day, which ends at the end of the day. */
function drawSteps(u: uPlot, { points, to }: Quota['lines'][number], index: number): void {
  const { ctx } = u;
  const ratio = devicePixelRatio;
  const floor = u.valToPos(0, 'y', true);
  const path = new Path2D();
  let last = floor;
  for (let i = 0; i < points.length; i += 2) {
    const [x, y] = [u.valToPos((points[i] ?? 0) / 1e6, 'x', true), u.valToPos(points[i + 1] ?? 0, 'y', true)];
    if (i === 0) path.moveTo(x, floor);
    else path.lineTo(x, last);
    path.lineTo(x, y);
    last = y;
  }
  const end = u.valToPos(Math.min(range.duration, to / 1e6), 'x', true);
  const { dash, color } = lookOf(index);
  path.lineTo(end, last);
  ctx.save();
  ctx.strokeStyle = theme[color];
  ctx.lineWidth = 2.2 * ratio;
  ctx.setLineDash(dash.map((length) => length * ratio));
  ctx.stroke(path);
  path.lineTo(end, floor);
  ctx.globalAlpha = 0.08;
  ctx.fillStyle = theme[color];
  ctx.fill(path);
  ctx.restore();
}
