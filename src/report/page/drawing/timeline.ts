import uPlot from 'uplot';
import { range } from '../range.ts';
import { hideTip } from '../tip.ts';
import { plotOptions } from './plot-options.ts';
import type { TimePicture } from './time-picture.ts';

export interface TimeChart {
  /** Redraws with the current data and colours. */
  update(): void;
  /** Adapts to the available width, or to the given one (on paper). */
  resize(width?: number): void;
}

/** Creates a chart over time in `host`. */
export function timeChart(host: HTMLElement, picture: TimePicture): TimeChart {
  const plot = plotIn(host);
  const data = (): uPlot.AlignedData =>
    picture.data?.() ?? [
      [0, range.duration],
      [null, null],
    ];
  const widthOf = () => Math.max(240, Math.floor(host.clientWidth));
  const u = new uPlot(plotOptions(picture, widthOf()), data(), plot);
  range.add(u);
  range.apply();
  addInteraction(u, plot, picture);
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

/** The element of a chart: focusable, since its keys select and move. */
function plotIn(host: HTMLElement): HTMLElement {
  const plot = document.createElement('div');
  plot.className = 'plot';
  plot.tabIndex = 0;
  plot.setAttribute('role', 'application');
  plot.setAttribute('aria-roledescription', 'chart');
  host.append(plot);
  return plot;
}

const keysOf = ({ step }: TimePicture): string =>
  `Arrow keys ${step ? 'go from one to the next' : 'move'}, page up and page down move, plus and minus zoom, 0 shows the whole run.`;

function addInteraction(u: uPlot, plot: HTMLElement, picture: TimePicture): void {
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

/** Converts a position in the plot to one in the window, for tooltips by keyboard. */
export function windowPoint(u: uPlot, x: number, y: number): readonly [number, number] {
  const { left, top } = u.over.getBoundingClientRect();
  return [left + x, top + y];
}
