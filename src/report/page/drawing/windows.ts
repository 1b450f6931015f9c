import type uPlot from 'uplot';
import type { Windows } from '../../html/page-data.ts';
import type { Tip } from '../tip.ts';
import { countText, instantText } from '../words.ts';
import { fillOutlinedText } from './outlined-text.ts';
import { font, theme } from './theme.ts';

/** Draws every second window as a band. */
export function drawWindows(u: uPlot, windows: Windows | undefined): void {
  const { ctx, bbox } = u;
  ctx.fillStyle = theme.band;
  for (const { place, left, right } of inView(u, windows))
    if (place % 2 === 0) ctx.fillRect(left, bbox.top, right - left, bbox.height);
}

/** Draws the number of admitted requests in each window that has room for it. */
export function drawWindowCounts(u: uPlot, windows: Windows | undefined): void {
  if (!windows) return;
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = font(12 * ratio);
  ctx.textAlign = 'center';
  ctx.textBaseline = 'top';
  ctx.fillStyle = theme.soft;
  for (const { left, right, admitted } of inView(u, windows)) {
    const text = `${countText(admitted)}${ofMax(windows, admitted)}`;
    const fits = [text, countText(admitted)].find((one) => ctx.measureText(one).width < right - left - 4 * ratio);
    if (fits !== undefined) fillOutlinedText(ctx, fits, (left + right) / 2, bbox.top + 5 * ratio);
  }
  ctx.restore();
}

interface WindowInView {
  readonly place: number;
  /** In canvas pixels. */
  readonly left: number;
  readonly right: number;
  readonly admitted: number;
}

function inView(u: uPlot, windows: Windows | undefined): WindowInView[] {
  const { left: least, width } = u.bbox;
  const at = (us: number) => Math.min(Math.max(least, u.valToPos(us / 1e6, 'x', true)), least + width);
  const list = windows?.list ?? [];
  return Array.from({ length: list.length / 4 }, (_, place) => {
    const [from = 0, to = 0, admitted = 0] = list.slice(4 * place, 4 * place + 3);
    return { place, left: at(from), right: at(to), admitted };
  }).filter(({ left, right }) => right > left);
}

/** Tooltip of a window. */
export function windowTip(windows: Windows | undefined, at: number): Tip | undefined {
  if (!windows) return undefined;
  for (let i = 0; i < windows.list.length; i += 4) {
    const [from = 0, to = 0, admitted = 0, refused = 0] = windows.list.slice(i, i + 4);
    if (at < from || at >= to) continue;
    return {
      title: `Window from ${instantText(from)} to ${instantText(to)}`,
      lines: [
        `${countText(admitted)}${ofMax(windows, admitted)} admitted, ${countText(refused)} refused`,
        ...(windows.several ? ['in the bucket with the most; buckets are counted separately'] : []),
      ],
    };
  }
  return undefined;
}

/** ` of N`, unless the count exceeds the limit: that alone is no proof, because the service's windows may begin elsewhere. */
const ofMax = ({ comparable, max }: Windows, admitted: number): string =>
  comparable && admitted <= max ? ` of ${countText(max)}` : '';
