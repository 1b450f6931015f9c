import type uPlot from 'uplot';
import { range } from '../range.ts';
import { fillOutlinedText } from './outlined-text.ts';
import { font, theme } from './theme.ts';
import { drawVerticalLine } from './vertical-line.ts';

/** Draws a line at the start of each stage but the first; below the marks. */
export function drawStageLines(u: uPlot): void {
  for (const { from } of range.stages.slice(1)) drawVerticalLine(u, u.valToPos(from, 'x', true), theme.soft, [5, 4]);
}

/** Draws the name of each stage that has room for it; above the marks, so that bars do not hide it. */
export function drawStageNames(u: uPlot): void {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.fillStyle = theme.soft;
  ctx.font = font(11 * ratio);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'bottom';
  // At the bottom, because counts of windows are at the top; above the label of the warm-up.
  const bottom = bbox.top + bbox.height - (range.warmUp > 0 ? 18 : 3) * ratio;
  const xs = range.stages.map(({ from }) => u.valToPos(from, 'x', true));
  for (const [index, { name }] of range.stages.entries()) {
    const x = xs[index] ?? 0;
    const next = Math.min(xs[index + 1] ?? Number.POSITIVE_INFINITY, bbox.left + bbox.width);
    if (next < bbox.left || x > bbox.left + bbox.width) continue;
    // The name of a stage that began before the visible range is at the left edge.
    const left = Math.max(x, bbox.left) + 5 * ratio;
    if (left + ctx.measureText(name).width < next - 3 * ratio) fillOutlinedText(ctx, name, left, bottom);
  }
  ctx.restore();
}
