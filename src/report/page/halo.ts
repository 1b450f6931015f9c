import { theme } from './theme.ts';

/** Writes over whatever lies there: in the present colour and font, with an edge of the ground's colour around each letter. */
export function fillTextClear(ctx: CanvasRenderingContext2D, text: string, x: number, y: number): void {
  ctx.save();
  ctx.setLineDash([]);
  ctx.lineJoin = 'round';
  ctx.lineWidth = 4 * devicePixelRatio;
  ctx.strokeStyle = theme.card;
  ctx.strokeText(text, x, y);
  ctx.fillText(text, x, y);
  ctx.restore();
}
