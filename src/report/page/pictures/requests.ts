import type uPlot from 'uplot';
import { markClasses, type Windows } from '../../html/page-data.ts';
import { drawBrackets } from '../drawing/bracket.ts';
import { clip } from '../drawing/plot-options.ts';
import { decades, extent } from '../drawing/scales.ts';
import { ShapeBatch } from '../drawing/shapes.ts';
import { theme } from '../drawing/theme.ts';
import { type TimeChart, timeChart, windowPoint } from '../drawing/timeline.ts';
import { drawWindowCounts, drawWindows, windowTip } from '../drawing/windows.ts';
import type { MarkTable } from '../mark-table.ts';
import type { PageState } from '../page-state.ts';
import { range } from '../range.ts';
import { showTip } from '../tip.ts';
import { classWords, countText } from '../words.ts';
import { exchangeTip } from './exchange-tip.ts';
import { OutcomeLegend } from './outcome-legend.ts';

/** With more visible marks, rectangles are drawn instead of shapes. */
const MANY = 4_000;
/** Maximum distance between pointer and mark, in pixels. */
const REACH = 18;

/** Chart of all exchanges: service time over time, outcomes by colour and shape. */
export class RequestPicture {
  readonly #state: PageState;
  readonly #chart: TimeChart;
  readonly #legend: OutcomeLegend;
  #at: number | undefined;

  constructor(host: HTMLElement, state: PageState) {
    this.#state = state;
    this.#legend = new OutcomeLegend(host, () => this.#chart.update());
    this.#chart = timeChart(host, {
      height: () => 380,
      label: () => this.#label(),
      y: decades(() => extent(state.marks.service)),
      headroom: () => this.#brackets().length > 0,
      drawBelow: (u) => drawWindows(u, this.#windows()),
      draw: (u) => this.#draw(u),
      hover: (u, left, top, event) => this.#hover(u, left, top, event),
      leave: (u) => this.#select(u, undefined),
      step: (u, by) => this.#step(u, by),
    });
    this.update();
  }

  update(): void {
    this.#legend.update(this.#state.marks.counts);
    this.#chart.update();
  }

  resize(width?: number): void {
    this.#chart.resize(width);
  }

  #label(): string {
    const { counts } = this.#state.marks;
    const parts = markClasses
      .filter((kind) => counts[kind] > 0)
      .map((kind) => `${countText(counts[kind])} ${classWords[kind]}`);
    const proofs = this.#brackets().map(({ label }) => `Proof: ${label}.`);
    return `Exchanges over time: ${parts.join(', ')}. ${proofs.join(' ')}`;
  }

  #brackets() {
    return this.#state.pictures.brackets.filter(({ limit }) => limit === 'rate');
  }

  /** If there is a proof, counts are not compared with the limit, because the proof may span several windows. */
  #windows(): Windows | undefined {
    const { windows } = this.#state.pictures;
    return windows && this.#brackets().length > 0 ? { ...windows, comparable: false } : windows;
  }

  #draw(u: uPlot): void {
    const { marks } = this.#state;
    const [from, to] = range.now;
    const [first, last] = [Math.max(0, marks.placeOf(from * 1e6) - 1), marks.placeOf(to * 1e6 + 1)];
    const many = last - first > MANY;
    this.#legend.follow(many);
    const ratio = devicePixelRatio;
    const batch = new ShapeBatch((many ? 1.6 : 4) * ratio, many);
    const rings: (readonly [number, number])[] = [];
    for (let place = first; place < last; place++) {
      const index = marks.order[place] ?? 0;
      const kind = marks.kindAt(index);
      if (!kind || this.#legend.hides(kind.class)) continue;
      const point = pointOf(u, marks, index, true);
      batch.add(kind.class, ...point);
      if (marks.named.has(index)) rings.push(point);
    }
    drawBrackets(u, this.#brackets());
    clip(u, () => {
      batch.draw(u.ctx);
      drawRings(u.ctx, rings, theme.bad, 7 * ratio);
      drawWindowCounts(u, this.#windows());
      if (this.#at !== undefined) drawRings(u.ctx, [pointOf(u, marks, this.#at, true)], theme.ink, 9 * ratio);
    });
  }

  #hover(u: uPlot, left: number, top: number, event: PointerEvent): void {
    const found = this.#nearest(u, left, top);
    this.#select(u, found);
    const tip =
      found === undefined ? windowTip(this.#windows(), u.posToVal(left, 'x') * 1e6) : exchangeTip(this.#state, found);
    if (tip) showTip(tip, event.clientX, event.clientY);
  }

  #select(u: uPlot, index: number | undefined): void {
    if (this.#at === index) return;
    this.#at = index;
    u.redraw(false, false);
  }

  #isHidden(index: number | undefined): boolean {
    const kind = index === undefined ? undefined : this.#state.marks.kindAt(index);
    return kind !== undefined && this.#legend.hides(kind.class);
  }

  #step(u: uPlot, by: 1 | -1): void {
    const { marks } = this.#state;
    const [from] = range.now;
    let place = this.#at === undefined ? marks.placeOf(from * 1e6) - (by === 1 ? 1 : 0) : marks.order.indexOf(this.#at);
    do place += by;
    while (this.#isHidden(marks.order[place]));
    const next = marks.order[place];
    if (next === undefined) return;
    range.reveal((marks.sentAt[next] ?? 0) / 1e6);
    this.#select(u, next);
    const tip = exchangeTip(this.#state, next);
    if (tip) showTip(tip, ...windowPoint(u, ...pointOf(u, marks, next, false)));
  }

  #nearest(u: uPlot, left: number, top: number): number | undefined {
    const { marks } = this.#state;
    let [best, distance] = [undefined as number | undefined, REACH];
    const until = u.posToVal(left + REACH, 'x') * 1e6;
    for (let place = marks.placeOf(u.posToVal(left - REACH, 'x') * 1e6); place < marks.size; place++) {
      const index = marks.order[place] ?? 0;
      if ((marks.sentAt[index] ?? 0) > until) break;
      const kind = marks.kindAt(index);
      if (!kind || this.#legend.hides(kind.class)) continue;
      const [x, y] = pointOf(u, marks, index, false);
      const away = Math.hypot(x - left, y - top);
      if (away < distance) [best, distance] = [index, away];
    }
    return best;
  }
}

/** In CSS pixels of the plot, or in pixels of the canvas. */
const pointOf = (u: uPlot, marks: MarkTable, index: number, canvas: boolean): readonly [number, number] => [
  u.valToPos((marks.sentAt[index] ?? 0) / 1e6, 'x', canvas),
  u.valToPos(Math.max(1, marks.service[index] ?? 1), 'y', canvas),
];

function drawRings(
  context: CanvasRenderingContext2D,
  points: readonly (readonly [number, number])[],
  color: string,
  radius: number,
): void {
  context.strokeStyle = color;
  context.lineWidth = radius / 4;
  for (const [x, y] of points) {
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.stroke();
  }
}
