import type uPlot from 'uplot';
import { type LivePictures, type MarkClass, markClasses } from '../html/page-data.ts';
import { drawBrackets } from './bracket.ts';
import type { MarkTable } from './mark-table.ts';
import { decades } from './scales.ts';
import { ShapeBatch, swatch } from './shapes.ts';
import { font, theme } from './theme.ts';
import { clip, range, type TimeChart, timeChart, windowPoint } from './timeline.ts';
import { showTip, type Tip } from './tip.ts';
import { classWords, countText, durationText, instantText } from './words.ts';

/** What all pictures look at; the live page replaces `pictures` and adds to `marks`. */
export interface Shown {
  pictures: LivePictures;
  marks: MarkTable;
}

/** Beyond so many marks in view, squares instead of circles. */
const MANY = 4_000;
/** How far from a mark the pointer finds it, in pixels. */
const REACH = 18;

/** The picture of all exchanges: time across, service time up, outcome by colour and shape. */
export class RequestPicture {
  readonly #shown: Shown;
  readonly #hidden = new Set<MarkClass>();
  readonly #chart: TimeChart;
  readonly #legend = document.createElement('ul');
  readonly #swatches: (() => void)[] = [];
  #at: number | undefined;

  constructor(host: HTMLElement, shown: Shown) {
    this.#shown = shown;
    this.#legend.className = 'legend';
    host.append(this.#legend);
    this.#chart = timeChart(host, {
      height: 380,
      label: () => this.#label(),
      y: decades(() => extent(shown.marks.service)),
      headroom: () => this.#brackets().length > 0,
      drawBelow: (u) => this.#drawWindows(u),
      draw: (u) => this.#draw(u),
      hover: (u, left, top, event) => this.#hover(u, left, top, event),
      leave: (u) => this.#select(u, undefined),
      step: (u, by) => this.#step(u, by),
    });
    this.update();
  }

  update(): void {
    this.#drawLegend();
    for (const draw of this.#swatches) draw();
    this.#chart.update();
  }

  resize(width?: number): void {
    this.#chart.resize(width);
  }

  #label(): string {
    const { counts } = this.#shown.marks;
    const parts = markClasses
      .filter((kind) => counts[kind] > 0)
      .map((kind) => `${countText(counts[kind])} ${classWords[kind]}`);
    const proofs = this.#brackets().map(({ label }) => `Proof: ${label}.`);
    return `Exchanges over time: ${parts.join(', ')}. ${proofs.join(' ')} Arrow keys go from exchange to exchange, plus and minus zoom, 0 shows the whole run.`;
  }

  #brackets() {
    return this.#shown.pictures.brackets.filter(({ limit }) => limit === 'rate');
  }

  #drawLegend(): void {
    const { counts } = this.#shown.marks;
    for (const kind of markClasses.filter((one) => counts[one] > 0)) {
      const text = `${classWords[kind]} ${countText(counts[kind])}`;
      const known = this.#legend.querySelector(`[data-kind="${kind}"] span`);
      if (known) known.textContent = text;
      else this.#legend.append(this.#legendItem(kind, text));
    }
  }

  #legendItem(kind: MarkClass, text: string): HTMLLIElement {
    const item = document.createElement('li');
    const button = document.createElement('button');
    const label = document.createElement('span');
    const { element, draw } = swatch(kind);
    this.#swatches.push(draw);
    label.textContent = text;
    button.type = 'button';
    button.dataset.kind = kind;
    button.setAttribute('aria-pressed', 'true');
    button.append(element, label);
    button.addEventListener('click', () => {
      if (!this.#hidden.delete(kind)) this.#hidden.add(kind);
      button.setAttribute('aria-pressed', String(!this.#hidden.has(kind)));
      this.#chart.update();
    });
    item.append(button);
    return item;
  }

  #drawWindows(u: uPlot): void {
    const { windows } = this.#shown.pictures;
    if (!windows) return;
    const { ctx, bbox } = u;
    const ratio = devicePixelRatio;
    ctx.font = font(12 * ratio);
    ctx.textAlign = 'center';
    ctx.textBaseline = 'top';
    for (let i = 0; i < windows.list.length; i += 4) {
      const [from = 0, to = 0, admitted = 0] = windows.list
        .slice(i, i + 3)
        .map((value, j) => (j < 2 ? u.valToPos(value / 1e6, 'x', true) : value));
      const [left, right] = [Math.max(from, bbox.left), Math.min(to, bbox.left + bbox.width)];
      if (right <= left) continue;
      ctx.fillStyle = theme.band;
      if ((i / 4) % 2 === 0) ctx.fillRect(left, bbox.top, right - left, bbox.height);
      const text = windows.comparable ? `${countText(admitted)} of ${countText(windows.max)}` : countText(admitted);
      ctx.fillStyle = theme.soft;
      const fits = [text, countText(admitted)].find((one) => ctx.measureText(one).width < right - left - 4 * ratio);
      if (fits !== undefined) ctx.fillText(fits, (left + right) / 2, bbox.top + 5 * ratio);
    }
  }

  #draw(u: uPlot): void {
    const { marks } = this.#shown;
    const [from, to] = range.now;
    const [first, last] = [Math.max(0, marks.placeOf(from * 1e6) - 1), marks.placeOf(to * 1e6 + 1)];
    const many = last - first > MANY;
    const ratio = devicePixelRatio;
    const batch = new ShapeBatch((many ? 1.6 : 4) * ratio, many);
    const rings: (readonly [number, number])[] = [];
    for (let place = first; place < last; place++) {
      const index = marks.order[place] ?? 0;
      const kind = marks.kindAt(index);
      if (!kind || this.#hidden.has(kind.class)) continue;
      const point = pointOf(u, marks, index, true);
      batch.add(kind.class, ...point);
      if (marks.named.has(index)) rings.push(point);
    }
    drawBrackets(u, this.#brackets());
    clip(u, () => {
      batch.draw(u.ctx);
      drawRings(u.ctx, rings, theme.bad, 7 * ratio);
      if (this.#at !== undefined) drawRings(u.ctx, [pointOf(u, marks, this.#at, true)], theme.ink, 9 * ratio);
    });
  }

  #hover(u: uPlot, left: number, top: number, event: PointerEvent): void {
    const found = this.#nearest(u, left, top);
    this.#select(u, found);
    const tip = found === undefined ? this.#windowTip(u.posToVal(left, 'x') * 1e6) : this.#tipOf(found);
    if (tip) showTip(tip, event.clientX, event.clientY);
  }

  #select(u: uPlot, index: number | undefined): void {
    if (this.#at === index) return;
    this.#at = index;
    u.redraw(false, false);
  }

  #step(u: uPlot, by: 1 | -1): void {
    const { marks } = this.#shown;
    const [from, to] = range.now;
    const place =
      this.#at === undefined ? marks.placeOf(from * 1e6) - (by === 1 ? 1 : 0) : marks.order.indexOf(this.#at);
    const next = marks.order[Math.min(Math.max(0, place + by), marks.size - 1)];
    if (next === undefined) return;
    const at = (marks.sentAt[next] ?? 0) / 1e6;
    if (at < from || at > to) range.show([at - (to - from) / 2, at + (to - from) / 2]);
    this.#select(u, next);
    const tip = this.#tipOf(next);
    if (tip) showTip(tip, ...windowPoint(u, ...pointOf(u, marks, next, false)));
  }

  #nearest(u: uPlot, left: number, top: number): number | undefined {
    const { marks } = this.#shown;
    let [best, distance] = [undefined as number | undefined, REACH];
    const until = u.posToVal(left + REACH, 'x') * 1e6;
    for (let place = marks.placeOf(u.posToVal(left - REACH, 'x') * 1e6); place < marks.size; place++) {
      const index = marks.order[place] ?? 0;
      if ((marks.sentAt[index] ?? 0) > until) break;
      const kind = marks.kindAt(index);
      if (!kind || this.#hidden.has(kind.class)) continue;
      const [x, y] = pointOf(u, marks, index, false);
      const away = Math.hypot(x - left, y - top);
      if (away < distance) [best, distance] = [index, away];
    }
    return best;
  }

  #tipOf(index: number): Tip | undefined {
    const { marks } = this.#shown;
    const kind = marks.kindAt(index);
    if (!kind) return undefined;
    const [at, service, waited] = [marks.sentAt[index] ?? 0, marks.service[index] ?? 0, marks.waited[index] ?? 0];
    const worker = marks.worker[index] ?? -1;
    const name = worker < 0 ? `${marks.seq[index]}` : `${worker}:${marks.seq[index]}`;
    return {
      title: `Exchange ${name}: ${kind.operation}, ${kind.answer}`,
      lines: [
        `${classWords[kind.class]}, sent at ${instantText(at)}`,
        `service time ${durationText(service)}, response time ${durationText(service + waited)}`,
        `journey ${kind.journey}, user ${marks.users[marks.user[index] ?? -1] ?? '?'}${kind.attempt > 1 ? `, attempt ${kind.attempt}` : ''}`,
        ...(kind.retryAfter === undefined ? [] : [`Retry-After ${kind.retryAfter}`]),
        ...this.#lookBack(index, at, kind.application, kind.counted || kind.class === 'rate'),
        ...(marks.named.has(index) ? ['a proof rests on it'] : []),
      ],
    };
  }

  /** How many were admitted in the window's length before it: told where all are drawn and one bucket has them all. */
  #lookBack(index: number, at: number, application: string, counts: boolean): string[] {
    const { marks, pictures } = this.#shown;
    const { windows } = pictures;
    if (!windows?.comparable || !marks.whole || !counts) return [];
    const length = (windows.list[1] ?? 0) - (windows.list[0] ?? 0);
    const before = marks.countedWithin(application, at - length, at, index);
    return [`${countText(before)} admitted ones were sent in the ${durationText(windows.windowUs)} before it`];
  }

  #windowTip(at: number): Tip | undefined {
    const { windows } = this.#shown.pictures;
    if (!windows) return undefined;
    for (let i = 0; i < windows.list.length; i += 4) {
      const [from = 0, to = 0, admitted = 0, refused = 0] = windows.list.slice(i, i + 4);
      if (at < from || at >= to) continue;
      return {
        title: `Window from ${instantText(from)} to ${instantText(to)}`,
        lines: [
          `${countText(admitted)} admitted${windows.comparable ? ` of ${countText(windows.max)}` : ''}, ${countText(refused)} refused`,
        ],
      };
    }
    return undefined;
  }
}

/** In pixels of the plot, or of its canvas. */
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

/** The least and the greatest; of nothing, a millisecond to a second. */
export function extent(values: readonly number[]): readonly [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, 0];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return most === 0 && least !== 0 ? [1_000, 1_000_000] : [least, most];
}
