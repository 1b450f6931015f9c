import { theme } from './theme.ts';

/** Draws text in the current colour and font with an outline in the background colour, so that it is legible over other marks. */
export function fillOutlinedText(ctx: CanvasRenderingContext2D, text: string, x: number, y: number): void {
  ctx.save();
  ctx.setLineDash([]);
  ctx.lineJoin = 'round';
  ctx.lineWidth = 4 * devicePixelRatio;
  ctx.strokeStyle = theme.card;
  ctx.strokeText(text, x, y);
  ctx.fillText(text, x, y);
  ctx.restore();
}
