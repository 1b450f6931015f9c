import type uPlot from 'uplot';
import { range } from '../range.ts';
import { drawStageLines, drawStageNames } from './stages.ts';
import { font, theme } from './theme.ts';
import { timeAxis } from './time-axis.ts';
import type { TimePicture, ValueScale } from './time-picture.ts';
import { drawWarmUp } from './warm-up.ts';

/** What uPlot needs to know of a chart over time. @param width CSS pixels */
export function plotOptions(picture: TimePicture, width: number): uPlot.Options {
  return {
    width,
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
    hooks: { drawAxes: [(u) => drawBelow(u, picture)], draw: [(u) => drawMarks(u, picture)], setSelect: [select] },
  };
}

function drawBelow(u: uPlot, picture: TimePicture): void {
  clip(u, () => {
    picture.drawBelow?.(u);
    drawStageLines(u);
  });
}

function drawMarks(u: uPlot, picture: TimePicture): void {
  picture.draw?.(u);
  clip(u, () => {
    drawStageNames(u);
    drawWarmUp(u);
  });
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

function showAll(): null {
  range.show(undefined);
  return null;
}

/** Zooms to a range that was selected by dragging. */
function select(u: uPlot): void {
  const { left, width } = u.select;
  if (width < 4) return;
  const [from, to] = [u.posToVal(left, 'x'), u.posToVal(left + width, 'x')];
  u.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
  range.show([from, to]);
}

/** Clips drawing to the plot area. */
export function clip(u: uPlot, draw: () => void): void {
  const { left, top, width, height } = u.bbox;
  u.ctx.save();
  u.ctx.beginPath();
  u.ctx.rect(left, top, width, height);
  u.ctx.clip();
  draw();
  u.ctx.restore();
}
