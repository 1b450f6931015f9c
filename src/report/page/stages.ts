import type uPlot from 'uplot';
import { fillTextClear } from './halo.ts';
import { range } from './range.ts';
import { font, theme } from './theme.ts';

/** A line where each stage of the plan begins, with its name where there is room before the next one. */
export function drawStages(u: uPlot): void {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = theme.soft;
  ctx.fillStyle = theme.soft;
  ctx.lineWidth = ratio;
  ctx.setLineDash([5 * ratio, 4 * ratio]);
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
    if (index > 0) {
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    // A stage that began before what is shown keeps its name in sight.
    const left = Math.max(x, bbox.left) + 5 * ratio;
    if (left + ctx.measureText(name).width < next - 3 * ratio) fillTextClear(ctx, name, left, bottom);
  }
  ctx.restore();
}
