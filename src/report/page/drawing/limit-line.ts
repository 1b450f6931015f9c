import type uPlot from 'uplot';
import { fillOutlinedText } from './outlined-text.ts';
import { font, theme } from './theme.ts';

/** Room at the bottom of a chart for the name of a stage and the label of the warm-up, in CSS pixels. */
const NAMES_PX = 35;

/**
 * Draws a limit as a dashed horizontal line with a label.
 * @param value on the y scale of the chart
 * @param side of the line on which the label is; should be the side without marks. Above where names of stages would be below
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
  const hasRoom = y + (15 + NAMES_PX) * ratio < bbox.top + bbox.height;
  fillOutlinedText(ctx, words, bbox.left + 6 * ratio, y + (side === 'below' && hasRoom ? 15 : -5) * ratio);
  ctx.restore();
}
