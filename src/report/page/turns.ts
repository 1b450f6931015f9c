import type uPlot from 'uplot';
import type { Lanes } from '../html/page-data.ts';
import { drawBrackets } from './bracket.ts';
import type { Shown } from './requests.ts';
import { font, theme } from './theme.ts';
import { clip, range, type TimeChart, timeChart, windowPoint } from './timeline.ts';
import { showTip, type Tip } from './tip.ts';
import { countText, durationText, instantText } from './words.ts';

/** Room above the limit's line, in lanes, where no turn is above it. */
const HEADROOM = 0.75;
const states = ['completed', 'failed', 'not seen to finish'] as const;

interface Turn {
  readonly from: number;
  readonly certainFrom: number;
  readonly certainTo: number;
  /** Infinite where its end was not seen. */
  readonly to: number;
  readonly group: number;
  readonly lane: number;
  readonly state: number;
  readonly seq: number;
  readonly named: boolean;
}

interface Box {
  readonly turn: Turn;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly height: number;
}

/** The picture of turns in lanes, against the line of the limit. */
export class TurnPicture {
  readonly #shown: Shown;
  readonly #chart: TimeChart;
  #lanes: Lanes | undefined;
  #turns: readonly Turn[] = [];
  #at: number | undefined;

  constructor(host: HTMLElement, shown: Shown) {
    this.#shown = shown;
    this.#read();
    this.#chart = timeChart(host, {
      height: heightOf(this.#lanes),
      label: () => this.#label(),
      y: { scale: { auto: false, range: () => [0, this.#rows()] }, axis: { splits: () => [], grid: { show: false } } },
      headroom: () => this.#brackets().length > 0,
      draw: (u) => this.#draw(u),
      hover: (u, left, top, event) => this.#hover(u, left, top, event),
      leave: () => this.#chart.update(),
      step: (u, by) => this.#step(u, by),
    });
  }

  update(): void {
    this.#read();
    this.#chart.update();
  }

  resize(width?: number): void {
    this.#chart.resize(width);
  }

  #read(): void {
    const lanes = this.#shown.pictures.lanes;
    if (lanes === this.#lanes) return;
    this.#lanes = lanes;
    this.#turns = lanes ? turnsOf(lanes) : [];
  }

  #brackets() {
    return this.#shown.pictures.brackets.filter(({ limit }) => limit === 'concurrency');
  }

  #rows(): number {
    return (this.#lanes?.groups ?? []).reduce((sum, { lanes }) => sum + lanes + HEADROOM, 0) || 1;
  }

  /** Lanes below a group: the first group is drawn on top. */
  #floorOf(group: number): number {
    return (this.#lanes?.groups ?? []).slice(group + 1).reduce((sum, { lanes }) => sum + lanes + HEADROOM, 0);
  }

  #label(): string {
    const max = this.#lanes?.max ?? 0;
    const above = this.#turns.filter(({ lane }) => lane >= max).length;
    return `${countText(this.#turns.length)} turns in lanes. ${above === 0 ? `Never more than ${max} certainly at once.` : `${countText(above)} stand above the line of ${max} at once.`} Arrow keys go from turn to turn.`;
  }

  #boxOf(u: uPlot, turn: Turn, canvas: boolean): Box {
    const x = (us: number) => u.valToPos(Math.min(us, range.duration * 1e6) / 1e6, 'x', canvas);
    const bottom = this.#floorOf(turn.group) + turn.lane;
    const [low, high] = [u.valToPos(bottom + 0.08, 'y', canvas), u.valToPos(bottom + 0.92, 'y', canvas)];
    return { turn, left: x(turn.from), right: x(turn.to), top: high, height: low - high };
  }

  #draw(u: uPlot): void {
    const [from, to] = range.now;
    const inView = this.#turns.filter((turn) => turn.from / 1e6 <= to && turn.to / 1e6 >= from);
    drawBrackets(u, this.#brackets());
    clip(u, () => {
      for (const turn of inView) drawTurn(u, this.#boxOf(u, turn, true), turn === this.#turns[this.#at ?? -1]);
    });
    for (const [i, group] of (this.#lanes?.groups ?? []).entries()) this.#drawLimit(u, group.name, i);
  }

  #drawLimit(u: uPlot, name: string, group: number): void {
    const { ctx, bbox } = u;
    const ratio = devicePixelRatio;
    const max = this.#lanes?.max ?? 0;
    const y = u.valToPos(this.#floorOf(group) + max, 'y', true);
    ctx.save();
    ctx.strokeStyle = theme.bad;
    ctx.lineWidth = 2 * ratio;
    ctx.setLineDash([8 * ratio, 5 * ratio]);
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
    ctx.font = font(12 * ratio, 600);
    ctx.fillStyle = theme.bad;
    ctx.textAlign = 'left';
    ctx.textBaseline = 'alphabetic';
    ctx.fillText(`limit: ${max} at once`, bbox.left + 6 * ratio, y - 5 * ratio);
    ctx.textAlign = 'right';
    ctx.textBaseline = 'middle';
    ctx.fillStyle = theme.soft;
    ctx.font = font(12 * ratio);
    const middle = u.valToPos(this.#floorOf(group) + max / 2, 'y', true);
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
    if (turn) showTip(tipOf(turn), event.clientX, event.clientY);
    u.redraw(false, false);
  }

  #step(u: uPlot, by: 1 | -1): void {
    const at = Math.min(Math.max(0, (this.#at ?? (by === 1 ? -1 : 1)) + by), this.#turns.length - 1);
    const turn = this.#turns[at];
    if (!turn) return;
    this.#at = at;
    const [from, to] = range.now;
    const middle = turn.from / 1e6;
    if (middle < from || middle > to) range.show([middle - (to - from) / 2, middle + (to - from) / 2]);
    const box = this.#boxOf(u, turn, false);
    showTip(tipOf(turn), ...windowPoint(u, box.left, box.top));
    u.redraw(false, false);
  }
}

/** Lanes of some twenty pixels, fewer where there are many. */
function heightOf(lanes: Lanes | undefined): number {
  const rows = (lanes?.groups ?? []).reduce((sum, group) => sum + group.lanes + HEADROOM, 0);
  return Math.round(Math.min(460, Math.max(150, 72 + rows * 30)));
}

function turnsOf(lanes: Lanes): Turn[] {
  const named = new Set(lanes.named);
  let from = 0;
  return lanes.from.map((difference, i) => {
    from += difference;
    const to = lanes.to[i] ?? -1;
    return {
      from,
      certainFrom: from + (lanes.certainFrom[i] ?? 0),
      certainTo: from + (lanes.certainTo[i] ?? 0),
      to: to < 0 ? Number.POSITIVE_INFINITY : from + to,
      group: lanes.group[i] ?? 0,
      lane: lanes.lane[i] ?? 0,
      state: lanes.state[i] ?? 0,
      seq: lanes.seq[i] ?? 0,
      named: named.has(i),
    };
  });
}

function tipOf({ from, certainFrom, certainTo, to, state, seq, named }: Turn): Tip {
  const certain =
    certainTo > certainFrom
      ? `certainly in process from ${instantText(certainFrom)} to ${instantText(certainTo)}`
      : 'at no instant certainly in process: nothing saw it open';
  return {
    title: `Turn opened by exchange ${seq}, ${states[state] ?? ''}`,
    lines: [
      certain,
      Number.isFinite(to)
        ? `possibly from ${instantText(from)} to ${instantText(to)} (${durationText(to - from)})`
        : `possibly from ${instantText(from)} on`,
      ...(named ? ['a proof rests on it'] : []),
    ],
  };
}

function drawTurn(u: uPlot, { turn, left, right, top, height }: Box, chosen: boolean): void {
  const { ctx } = u;
  const ratio = devicePixelRatio;
  const width = Math.max(2 * ratio, right - left);
  const color = turn.state === 1 ? theme.error : turn.state === 2 ? theme.soft : theme.success;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.globalAlpha = 0.12;
  ctx.fillStyle = color;
  ctx.fill();
  ctx.globalAlpha = 0.75;
  hatch(ctx, left, top, width, height, color);
  ctx.globalAlpha = 1;
  const [from, to] = [u.valToPos(turn.certainFrom / 1e6, 'x', true), u.valToPos(turn.certainTo / 1e6, 'x', true)];
  if (to > from) {
    ctx.fillStyle = color;
    ctx.fillRect(from, top, Math.max(ratio, to - from), height);
  }
  ctx.lineWidth = (turn.named || chosen ? 2.5 : 1) * ratio;
  ctx.strokeStyle = chosen ? theme.ink : turn.named ? theme.bad : color;
  ctx.strokeRect(left, top, width, height);
  ctx.restore();
}

/** Slanting lines, drawn as lines so that they print sharply. */
function hatch(
  ctx: CanvasRenderingContext2D,
  left: number,
  top: number,
  width: number,
  height: number,
  color: string,
): void {
  const gap = 6 * devicePixelRatio;
  if (width < gap) return;
  ctx.save();
  ctx.clip();
  ctx.strokeStyle = color;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  for (let x = left - height; x < Math.min(left + width, ctx.canvas.width); x += gap) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x + height, top);
  }
  ctx.stroke();
  ctx.restore();
}
