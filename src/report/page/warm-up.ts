import type uPlot from 'uplot';
import { fillTextClear } from './halo.ts';
import { range } from './range.ts';
import { font, theme } from './theme.ts';
import { drawUpright } from './upright.ts';

/** The line at which measuring begins: what is left of it is drawn, and counts for nothing. */
export function drawWarmUp(u: uPlot): void {
  if (range.warmUp <= 0) return;
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  const x = u.valToPos(Math.min(range.warmUp, range.duration), 'x', true);
  if (x < bbox.left) return;
  drawUpright(u, x, theme.soft, [2, 3]);
  ctx.save();
  ctx.font = font(12 * ratio);
  ctx.fillStyle = theme.soft;
  ctx.textAlign = 'right';
  ctx.textBaseline = 'bottom';
  const words = 'warm-up';
  if (ctx.measureText(words).width < x - bbox.left - 8 * ratio)
    fillTextClear(ctx, words, x - 5 * ratio, bbox.top + bbox.height - 3 * ratio);
  ctx.restore();
}
