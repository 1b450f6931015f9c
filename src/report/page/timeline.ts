import uPlot from 'uplot';
import { range } from './range.ts';
import { drawStageLines, drawStageNames } from './stages.ts';
import { font, theme } from './theme.ts';
import { timeAxis } from './time-axis.ts';
import { hideTip } from './tip.ts';
import { drawWarmUp } from './warm-up.ts';

/** The scale upwards. */
export interface ValueScale {
  /** From where to where; asked again at each update. */
  bounds(): readonly [number, number];
  readonly logarithmic: boolean;
  readonly axis: uPlot.Axis;
}

/** What a picture over time draws, and how it answers. Instants are seconds of the run. */
export interface TimePicture {
  /** In pixels; asked again at each update. */
  height(): number;
  /** What it shows, for who cannot see it; the keys are told with it. Asked again at each update. */
  label(): string;
  readonly y: ValueScale;
  /** Whether there is something to draw above the plot. */
  headroom?(): boolean;
  /** Columns beside the instants; default none: `draw` draws all there is. */
  readonly series?: readonly uPlot.Series[];
  data?(): uPlot.AlignedData;
  /** Below the axes' lines, and above everything. */
  drawBelow?(u: uPlot): void;
  draw?(u: uPlot): void;
  /** The pointer is over a point of the plot, in its own pixels. */
  hover?(u: uPlot, left: number, top: number, event: PointerEvent): void;
  leave?(u: uPlot): void;
  /** Arrow keys: one step back or forth. */
  step?(u: uPlot, by: 1 | -1): void;
}

export interface TimeChart {
  /** Draws again with the data and the colours of now. */
  update(): void;
  /** Takes the width that there is, or the one given (on paper). */
  resize(width?: number): void;
}

const axisOf = (axis: uPlot.Axis): uPlot.Axis => ({
  stroke: () => theme.soft,
  font: font(12),
  grid: { stroke: () => theme.grid, width: 1 },
  ticks: { show: false },
  border: { show: false },
  gap: 6,
  ...axis,
});

const scaleOf = ({ bounds, logarithmic }: ValueScale): uPlot.Scale => ({
  auto: false,
  range: () => [...bounds()] as [number, number],
  ...(logarithmic && { distr: 3, log: 10 }),
});

/** Puts a picture over time into its place. */
export function timeChart(host: HTMLElement, picture: TimePicture): TimeChart {
  const plot = document.createElement('div');
  plot.className = 'plot';
  plot.tabIndex = 0;
  plot.setAttribute('role', 'application');
  plot.setAttribute('aria-roledescription', 'chart');
  host.append(plot);
  const data = (): uPlot.AlignedData =>
    picture.data?.() ?? [
      [0, range.duration],
      [null, null],
    ];
  const widthOf = () => Math.max(240, Math.floor(host.clientWidth));
  const u = new uPlot(
    {
      width: widthOf(),
      height: picture.height(),
      padding: [() => (picture.headroom?.() ? 34 : 10), 18, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: false },
        sync: {
          key: 'run',
          filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave', sub: () => true },
        },
        bind: { dblclick: () => showAll },
      },
      scales: { x: { time: false, auto: false, min: range.now[0], max: range.now[1] }, y: scaleOf(picture.y) },
      axes: [axisOf(timeAxis), axisOf({ size: 62, ...picture.y.axis })],
      series: [{}, ...(picture.series ?? [{ paths: () => null, points: { show: false } }])],
      hooks: {
        drawAxes: [
          (self) =>
            clip(self, () => {
              picture.drawBelow?.(self);
              drawStageLines(self);
            }),
        ],
        draw: [
          (self) => {
            picture.draw?.(self);
            clip(self, () => {
              drawStageNames(self);
              drawWarmUp(self);
            });
          },
        ],
        setSelect: [select],
      },
    },
    data(),
    plot,
  );
  range.add(u);
  range.apply();
  answer(u, plot, picture);
  const label = () => plot.setAttribute('aria-label', `${picture.label()} ${keysOf(picture)}`);
  label();
  const resize = (width = widthOf()) => {
    const height = picture.height();
    if (width === u.width && height === u.height) return;
    u.setSize({ width, height });
    range.apply();
  };
  new ResizeObserver(() => resize()).observe(host);
  return {
    resize,
    update() {
      label();
      u.setData(data(), false);
      const [min, max] = picture.y.bounds();
      u.setScale('y', { min, max });
      resize(u.width);
      u.redraw(false, true);
    },
  };
}

const keysOf = ({ step }: TimePicture): string =>
  `Arrow keys ${step ? 'go from one to the next' : 'move'}, page up and page down move, plus and minus zoom, 0 shows the whole run.`;

function showAll(): null {
  range.show(undefined);
  return null;
}

/** A stretch was dragged over. */
function select(u: uPlot): void {
  const { left, width } = u.select;
  if (width < 4) return;
  const [from, to] = [u.posToVal(left, 'x'), u.posToVal(left + width, 'x')];
  u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
  range.show([from, to]);
}

/** Draws within the plot's own area only. */
export function clip(u: uPlot, draw: () => void): void {
  const { left, top, width, height } = u.bbox;
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(left, top, width, height);
  u.ctx.clip();
  draw();
  u.ctx.restore();
}

function answer(u: uPlot, plot: HTMLElement, picture: TimePicture): void {
  u.over.addEventListener('pointermove', (event) => {
    const { left, top } = u.over.getBoundingClientRect();
    picture.hover?.(u, event.clientX - left, event.clientY - top, event);
  });
  const leave = () => {
    hideTip();
    picture.leave?.(u);
  };
  u.over.addEventListener('pointerleave', leave);
  plot.addEventListener('blur', leave);
  plot.addEventListener('keydown', (event) => {
    const [from, to] = range.now;
    const move = (share: number) => range.show([from + share * (to - from), to + share * (to - from)]);
    const actions: Readonly<Record<string, () => void>> = {
      ArrowRight: () => (picture.step ? picture.step(u, 1) : move(0.1)),
      ArrowLeft: () => (picture.step ? picture.step(u, -1) : move(-0.1)),
      '+': () => range.zoom(0.5),
      '-': () => range.zoom(2),
      '0': () => range.show(undefined),
      PageDown: () => move(0.5),
      PageUp: () => move(-0.5),
    };
    const action = actions[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  });
}

/** Where an instant stands in the window, for a tip that the keyboard asked for. */
export function windowPoint(u: uPlot, x: number, y: number): readonly [number, number] {
  const { left, top } = u.over.getBoundingClientRect();
  return [left + x, top + y];
}
