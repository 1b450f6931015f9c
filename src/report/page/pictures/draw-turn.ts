import { theme } from '../drawing/theme.ts';
import { FAILED, type Turn, UNFINISHED } from './turn-list.ts';

/** Geometry of a turn, in pixels. */
export interface Box {
  readonly turn: Pick<Turn, 'state' | 'named'>;
  /** Where it was certainly in process; absent if at no instant. */
  readonly certain?: readonly [from: number, to: number];
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly height: number;
}

export interface TurnLook {
  /** Whether it is selected by pointer or keyboard. */
  readonly chosen: boolean;
  /** Pale instead of hatched: hatching thousands of turns would take seconds and be illegible. */
  readonly plain: boolean;
}

/**
 * Draws a turn: solid where it was certainly in process, hatched where it may have been. A failed turn ends with a cross; an
 * unfinished one has no right edge.
 */
export function drawTurn(ctx: CanvasRenderingContext2D, box: Box, look: TurnLook): void {
  const { turn, certain, left, right, top, height } = box;
  const ratio = devicePixelRatio;
  const width = Math.max(2 * ratio, right - left);
  const color = turn.state === FAILED ? theme.error : turn.state === UNFINISHED ? theme.soft : theme.success;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.globalAlpha = look.plain ? 0.3 : 0.12;
  ctx.fillStyle = color;
  ctx.fill();
  ctx.globalAlpha = 0.75;
  if (!look.plain) hatch(ctx, left, top, width, height, color);
  ctx.globalAlpha = 1;
  if (certain) {
    ctx.fillStyle = color;
    ctx.fillRect(certain[0], top, Math.max(ratio, certain[1] - certain[0]), height);
  }
  ctx.lineWidth = (turn.named || look.chosen ? 2.5 : 1) * ratio;
  ctx.strokeStyle = look.chosen ? theme.ink : turn.named ? theme.bad : color;
  ctx.beginPath();
  ctx.moveTo(left + width, top);
  ctx.lineTo(left, top);
  ctx.lineTo(left, top + height);
  ctx.lineTo(left + width, top + height);
  if (turn.state !== UNFINISHED) ctx.closePath();
  ctx.stroke();
  if (turn.state === FAILED) drawCross(ctx, left + width, top + height / 2, Math.min(5 * ratio, 0.35 * height));
  ctx.restore();
}

function drawCross(ctx: CanvasRenderingContext2D, x: number, y: number, half: number): void {
  ctx.beginPath();
  ctx.moveTo(x - half, y - half);
  ctx.lineTo(x + half, y + half);
  ctx.moveTo(x - half, y + half);
  ctx.lineTo(x + half, y - half);
  for (const [color, width] of [
    [theme.card, 5],
    [theme.error, 2.2],
  ] as const) {
    ctx.strokeStyle = color;
    ctx.lineWidth = width * devicePixelRatio;
    ctx.stroke();
  }
}

/** Diagonal lines; not a pattern, so that they print sharply. */
function hatch(
  ctx: CanvasRenderingContext2D,
  left: number,
  top: number,
  width: number,
  height: number,
  color: string,
): void {
  const gap = 6 * devicePixelRatio;
  if (width < gap) return;
  ctx.save();
  ctx.clip();
  ctx.strokeStyle = color;
  ctx.lineWidth = devicePixelRatio;
  ctx.beginPath();
  for (let x = left - height; x < Math.min(left + width, ctx.canvas.width); x += gap) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x + height, top);
  }
  ctx.stroke();
  ctx.restore();
}
