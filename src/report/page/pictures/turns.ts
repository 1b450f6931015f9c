import type uPlot from 'uplot';
import type { Lanes } from '../../html/page-data.ts';
import { drawBrackets } from '../drawing/bracket.ts';
import { drawLimitLine } from '../drawing/limit-line.ts';
import { clip } from '../drawing/plot-options.ts';
import { font, theme } from '../drawing/theme.ts';
import { type TimeChart, timeChart, windowPoint } from '../drawing/timeline.ts';
import type { PageState } from '../page-state.ts';
import { range } from '../range.ts';
import { showTip } from '../tip.ts';
import { countText } from '../words.ts';
import { type Box, drawTurn } from './draw-turn.ts';
import { TurnLegend } from './turn-legend.ts';
import { type Turn, turnsOf, turnTip } from './turn-list.ts';

/** With more visible turns they are drawn without hatching. */
const MANY = 400;

/** Space above the lanes of a group, in lanes. */
const HEADROOM = 0.75;

/** Chart of turns in lanes, with the limit as a line. */
export class TurnPicture {
  readonly #state: PageState;
  readonly #chart: TimeChart;
  readonly #legend: TurnLegend;
  #lanes: Lanes | undefined;
  #turns: readonly Turn[] = [];
  #at: number | undefined;

  constructor(host: HTMLElement, state: PageState) {
    this.#state = state;
    this.#legend = new TurnLegend(host);
    this.#read();
    this.#legend.update(this.#turns);
    this.#chart = timeChart(host, {
      height: () => heightOf(this.#lanes),
      label: () => this.#label(),
      y: { bounds: () => [0, this.#rows()], logarithmic: false, axis: { splits: () => [], grid: { show: false } } },
      headroom: () => this.#brackets().length > 0,
      draw: (u) => this.#draw(u),
      hover: (u, left, top, event) => this.#hover(u, left, top, event),
      leave: () => this.#chart.update(),
      step: (u, by) => this.#step(u, by),
    });
  }

  update(): void {
    this.#read();
    this.#legend.update(this.#turns);
    this.#chart.update();
  }

  resize(width?: number): void {
    this.#chart.resize(width);
  }

  #read(): void {
    const lanes = this.#state.pictures.lanes;
    if (lanes === this.#lanes) return;
    this.#lanes = lanes;
    this.#turns = lanes ? turnsOf(lanes) : [];
  }

  #brackets() {
    return this.#state.pictures.brackets.filter(({ limit }) => limit === 'concurrency');
  }

  #rows(): number {
    return (this.#lanes?.groups ?? []).reduce((sum, { lanes }) => sum + lanes + HEADROOM, 0) || 1;
  }

  /** Y position of the bottom of a group; the first group is on top. */
  #floorOf(group: number): number {
    return (this.#lanes?.groups ?? []).slice(group + 1).reduce((sum, { lanes }) => sum + lanes + HEADROOM, 0);
  }

  #label(): string {
    const { max = 0, groups = [] } = this.#lanes ?? {};
    const above = this.#turns.filter(({ lane }) => lane >= max).length;
    const limit = `a limit of ${countText(max)} at once`;
    const limited = groups.length > 1 ? `in ${groups.length} groups with ${limit} each` : `with ${limit}`;
    return `${countText(this.#turns.length)} turns in lanes, ${limited}; ${above === 0 ? 'none' : countText(above)} above it.`;
  }

  #boxOf(u: uPlot, turn: Turn, canvas: boolean): Box {
    const x = (us: number) => u.valToPos(Math.min(us, range.duration * 1e6) / 1e6, 'x', canvas);
    const bottom = this.#floorOf(turn.group) + turn.lane;
    const [low, high] = [u.valToPos(bottom + 0.08, 'y', canvas), u.valToPos(bottom + 0.92, 'y', canvas)];
    const certain = turn.certainTo > turn.certainFrom && ([x(turn.certainFrom), x(turn.certainTo)] as const);
    return { turn, ...(certain && { certain }), left: x(turn.from), right: x(turn.to), top: high, height: low - high };
  }

  #draw(u: uPlot): void {
    const [from, to] = range.now;
    const inView = this.#turns.filter((turn) => turn.from / 1e6 <= to && turn.to / 1e6 >= from);
    drawBrackets(u, this.#brackets());
    clip(u, () => {
      const plain = inView.length > MANY;
      for (const turn of inView)
        drawTurn(u.ctx, this.#boxOf(u, turn, true), { chosen: turn === this.#turns[this.#at ?? -1], plain });
    });
    for (const [i, group] of (this.#lanes?.groups ?? []).entries()) this.#drawLimit(u, group, i);
  }

  /** Draws the limit line, unless the limit is above all lanes, and the name of the group. */
  #drawLimit(u: uPlot, { name, lanes }: Lanes['groups'][number], group: number): void {
    const { ctx, bbox } = u;
    const ratio = devicePixelRatio;
    const max = this.#lanes?.max ?? 0;
    if (lanes >= max) drawLimitLine(u, this.#floorOf(group) + max, `limit: ${max} at once`, 'above');
    ctx.save();
    ctx.textAlign = 'right';
    ctx.textBaseline = 'middle';
    ctx.fillStyle = theme.soft;
    ctx.font = font(12 * ratio);
    const middle = u.valToPos(this.#floorOf(group) + Math.min(max, lanes) / 2, 'y', true);
    ctx.fillText(name.length > 8 ? `${name.slice(0, 7)}…` : name, bbox.left - 6 * ratio, middle);
    ctx.restore();
  }

  #hover(u: uPlot, left: number, top: number, event: PointerEvent): void {
    const at = this.#turns.findIndex((turn) => {
      const box = this.#boxOf(u, turn, false);
      return (
        left >= box.left - 2 &&
        left <= Math.max(box.right, box.left + 3) &&
        top >= box.top &&
        top <= box.top + box.height
      );
    });
    this.#at = at < 0 ? undefined : at;
    const turn = this.#turns[at];
    if (turn) showTip(turnTip(turn), event.clientX, event.clientY);
    u.redraw(false, false);
  }

  #step(u: uPlot, by: 1 | -1): void {
    const at = Math.min(Math.max(0, (this.#at ?? (by === 1 ? -1 : 1)) + by), this.#turns.length - 1);
    const turn = this.#turns[at];
    if (!turn) return;
    this.#at = at;
    range.reveal(turn.from / 1e6);
    const box = this.#boxOf(u, turn, false);
    showTip(turnTip(turn), ...windowPoint(u, box.left, box.top));
    u.redraw(false, false);
  }
}

/** Height in pixels: 30 per lane, between 150 and 460 in total. */
function heightOf(lanes: Lanes | undefined): number {
  const rows = (lanes?.groups ?? []).reduce((sum, group) => sum + group.lanes + HEADROOM, 0);
  return Math.round(Math.min(460, Math.max(150, 72 + rows * 30)));
}
