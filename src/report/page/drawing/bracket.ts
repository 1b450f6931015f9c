import type uPlot from 'uplot';
import type { Bracket } from '../../html/page-data.ts';
import { font, theme } from './theme.ts';

/** A part of the canvas's width, in its pixels. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Draws proofs as labelled brackets above the plot, from the first exchange of the proof to the last. A label that would lie over
 * an earlier one is left out: the answer tells every proof.
 */
export function drawBrackets(u: uPlot, brackets: readonly Bracket[]): void {
  const labels: Span[] = [];
  for (const bracket of brackets) {
    const span = spanOf(u, bracket);
    if (span === undefined) continue;
    drawBracket(u, span);
    drawLabel(u, bracket.label, (span.from + span.to) / 2, labels);
  }
}

/** `undefined` out of view. */
function spanOf({ bbox, valToPos }: uPlot, { fromUs, toUs }: Bracket): Span | undefined {
  const least = 4 * devicePixelRatio;
  const edge = (us: number) => valToPos(us / 1e6, 'x', true);
  const [from, to] = [Math.max(bbox.left, edge(fromUs)), Math.min(bbox.left + bbox.width, edge(toUs))];
  if (to < bbox.left || from > bbox.left + bbox.width) return undefined;
  const middle = (from + to) / 2;
  return to - from < 2 * least ? { from: middle - least, to: middle + least } : { from, to };
}

const heightOf = ({ bbox }: uPlot): number => bbox.top - 9 * devicePixelRatio;

function drawBracket(u: uPlot, { from, to }: Span): void {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  const y = heightOf(u);
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
  ctx.restore();
}

/** Draws a label around a position, smaller if the canvas is too narrow for it. @param labels those drawn so far */
function drawLabel(u: uPlot, label: string, position: number, labels: Span[]): void {
  const { ctx } = u;
  const ratio = devicePixelRatio;
  const room = ctx.canvas.width - 4 * ratio;
  ctx.save();
  ctx.font = font(13 * ratio, 650);
  const size = Math.min(1, room / ctx.measureText(label).width);
  ctx.font = font(13 * ratio * size, 650);
  const half = ctx.measureText(label).width / 2;
  const middle = Math.min(Math.max(position, half + 2 * ratio), ctx.canvas.width - half - 2 * ratio);
  const own = { from: middle - half, to: middle + half };
  if (labels.every(({ from, to }) => own.to < from || own.from > to)) {
    labels.push(own);
    ctx.fillStyle = theme.bad;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'alphabetic';
    ctx.fillText(label, middle, heightOf(u) - 7 * ratio);
  }
  ctx.restore();
}
