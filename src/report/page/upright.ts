import type uPlot from 'uplot';

/** A dashed line across the whole height of the picture, at an instant. @param dash lengths of lines and gaps, in CSS pixels */
export function drawUpright(u: uPlot, x: number, color: string, dash: readonly [number, number]): void {
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
