import type uPlot from 'uplot';
import type { Bracket } from '../html/page-data.ts';
import { font, theme } from './theme.ts';

/** Draws proofs as labelled brackets above the plot, from the first exchange of the proof to the last. */
export function drawBrackets(u: uPlot, brackets: readonly Bracket[]): void {
  for (const bracket of brackets) drawBracket(u, bracket);
}

function drawBracket(u: uPlot, { fromUs, toUs, label }: Bracket): void {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  const edge = (us: number) => u.valToPos(us / 1e6, 'x', true);
  const [left, right] = [Math.max(bbox.left, edge(fromUs)), Math.min(bbox.left + bbox.width, edge(toUs))];
  if (right < bbox.left || left > bbox.left + bbox.width) return;
  const [from, to] =
    right - left < 8 * ratio ? [(left + right) / 2 - 4 * ratio, (left + right) / 2 + 4 * ratio] : [left, right];
  const y = bbox.top - 9 * ratio;
  ctx.save();
  ctx.fillStyle = theme.bad;
  ctx.globalAlpha = 0.09;
  ctx.fillRect(from, bbox.top, to - from, bbox.height);
  ctx.globalAlpha = 1;
  ctx.strokeStyle = theme.bad;
  ctx.lineWidth = 2 * ratio;
  ctx.beginPath();
  ctx.moveTo(from, y + 8 * ratio);
  ctx.lineTo(from, y);
  ctx.lineTo(to, y);
  ctx.lineTo(to, y + 8 * ratio);
  ctx.stroke();
  ctx.font = font(13 * ratio, 650);
  const half = ctx.measureText(label).width / 2;
  const middle = Math.min(Math.max((from + to) / 2, half + 2 * ratio), ctx.canvas.width - half - 2 * ratio);
  ctx.textAlign = 'center';
  ctx.textBaseline = 'alphabetic';
  ctx.fillText(label, middle, y - 7 * ratio);
  ctx.restore();
}
