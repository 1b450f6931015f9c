import type uPlot from 'uplot';
import { theme } from './theme.ts';
import type { Turn } from './turn-list.ts';

/** Where a turn stands, in pixels. */
export interface Box {
  readonly turn: Turn;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly height: number;
}

export interface TurnLook {
  /** The pointer or the keyboard is at it. */
  readonly chosen: boolean;
  /** Pale instead of hatched: thousands of lines would take seconds, and nobody could tell them apart. */
  readonly plain: boolean;
}

/** Solid where it certainly was, hatched where it may have been. */
export function drawTurn(u: uPlot, { turn, left, right, top, height }: Box, look: TurnLook): void {
  const { ctx } = u;
  const ratio = devicePixelRatio;
  const width = Math.max(2 * ratio, right - left);
  const color = turn.state === 1 ? theme.error : turn.state === 2 ? theme.soft : theme.success;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, width, height);
  ctx.globalAlpha = look.plain ? 0.3 : 0.12;
  ctx.fillStyle = color;
  ctx.fill();
  ctx.globalAlpha = 0.75;
  if (!look.plain) hatch(ctx, left, top, width, height, color);
  ctx.globalAlpha = 1;
  const [from, to] = [u.valToPos(turn.certainFrom / 1e6, 'x', true), u.valToPos(turn.certainTo / 1e6, 'x', true)];
  if (to > from) {
    ctx.fillStyle = color;
    ctx.fillRect(from, top, Math.max(ratio, to - from), height);
  }
  ctx.lineWidth = (turn.named || look.chosen ? 2.5 : 1) * ratio;
  ctx.strokeStyle = look.chosen ? theme.ink : turn.named ? theme.bad : color;
  ctx.strokeRect(left, top, width, height);
  ctx.restore();
}

/** Slanting lines, drawn as lines so that they print sharply. */
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
