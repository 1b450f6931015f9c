import type uPlot from 'uplot';
import { fillOutlinedText } from './outlined-text.ts';
import { font, theme } from './theme.ts';

/**
 * Draws a limit as a dashed horizontal line with a label.
 * @param value on the y scale of the chart
 * @param side of the line on which the label is; should be the side without marks
 */
export function drawLimitLine(u: uPlot, value: number, words: string, side: 'above' | 'below'): void {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  const y = u.valToPos(value, 'y', true);
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
  fillOutlinedText(ctx, words, bbox.left + 6 * ratio, y + (side === 'above' ? -5 : 15) * ratio);
  ctx.restore();
}
