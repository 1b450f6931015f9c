import type uPlot from 'uplot';

/** Draws a dashed vertical line across the plot. @param dash lengths of dashes and gaps in CSS pixels */
export function drawVerticalLine(u: uPlot, x: number, color: string, dash: readonly [number, number]): void {
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.lineWidth = ratio;
  ctx.setLineDash(dash.map((length) => length * ratio));
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}
