import type uPlot from 'uplot';
import { fillTextClear } from './halo.ts';
import { range } from './range.ts';
import { font, theme } from './theme.ts';
import { drawUpright } from './upright.ts';

/** A line where each stage of the plan begins: below what is drawn. */
export function drawStageLines(u: uPlot): void {
  for (const { from } of range.stages.slice(1)) drawUpright(u, u.valToPos(from, 'x', true), theme.soft, [5, 4]);
}

/** The name of each stage where there is room before the next one: above what is drawn, or bars would hide it. */
export function drawStageNames(u: uPlot): void {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.fillStyle = theme.soft;
  ctx.font = font(11 * ratio);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'bottom';
  // Numbers of windows are at the top, and the word of the warm-up is at the bottom.
  const bottom = bbox.top + bbox.height - (range.warmUp > 0 ? 18 : 3) * ratio;
  const xs = range.stages.map(({ from }) => u.valToPos(from, 'x', true));
  for (const [index, { name }] of range.stages.entries()) {
    const x = xs[index] ?? 0;
    const next = Math.min(xs[index + 1] ?? Number.POSITIVE_INFINITY, bbox.left + bbox.width);
    if (next < bbox.left || x > bbox.left + bbox.width) continue;
    // A stage that began before what is shown keeps its name in sight.
    const left = Math.max(x, bbox.left) + 5 * ratio;
    if (left + ctx.measureText(name).width < next - 3 * ratio) fillTextClear(ctx, name, left, bottom);
  }
  ctx.restore();
}
