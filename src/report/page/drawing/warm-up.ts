import type uPlot from 'uplot';
import { range } from '../range.ts';
import { fillOutlinedText } from './outlined-text.ts';
import { font, theme } from './theme.ts';
import { drawVerticalLine } from './vertical-line.ts';

/** Draws the end of the warm-up, whose exchanges are drawn but not measured. */
export function drawWarmUp(u: uPlot): void {
  if (range.warmUp <= 0) return;
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  const x = u.valToPos(Math.min(range.warmUp, range.duration), 'x', true);
  if (x < bbox.left) return;
  drawVerticalLine(u, x, theme.soft, [2, 3]);
  ctx.save();
  ctx.font = font(12 * ratio);
  ctx.fillStyle = theme.soft;
  ctx.textAlign = 'right';
  ctx.textBaseline = 'bottom';
  const words = 'warm-up';
  if (ctx.measureText(words).width < x - bbox.left - 8 * ratio)
    fillOutlinedText(ctx, words, x - 5 * ratio, bbox.top + bbox.height - 3 * ratio);
  ctx.restore();
}
