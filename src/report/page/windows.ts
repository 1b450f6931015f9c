import type uPlot from 'uplot';
import type { Windows } from '../html/page-data.ts';
import { font, theme } from './theme.ts';
import type { Tip } from './tip.ts';
import { countText, instantText } from './words.ts';

/** Every second window as a band, each with the requests admitted in it. */
export function drawWindows(u: uPlot, windows: Windows | undefined): void {
  if (!windows) return;
  const { ctx, bbox } = u;
  const ratio = devicePixelRatio;
  ctx.font = font(12 * ratio);
  ctx.textAlign = 'center';
  ctx.textBaseline = 'top';
  for (let i = 0; i < windows.list.length; i += 4) {
    const [from = 0, to = 0, admitted = 0] = windows.list
      .slice(i, i + 3)
      .map((value, j) => (j < 2 ? u.valToPos(value / 1e6, 'x', true) : value));
    const [left, right] = [Math.max(from, bbox.left), Math.min(to, bbox.left + bbox.width)];
    if (right <= left) continue;
    ctx.fillStyle = theme.band;
    if ((i / 4) % 2 === 0) ctx.fillRect(left, bbox.top, right - left, bbox.height);
    const text = `${countText(admitted)}${ofMax(windows, admitted)}`;
    ctx.fillStyle = theme.soft;
    const fits = [text, countText(admitted)].find((one) => ctx.measureText(one).width < right - left - 4 * ratio);
    if (fits !== undefined) ctx.fillText(fits, (left + right) / 2, bbox.top + 5 * ratio);
  }
}

/** What is said of a window. */
export function windowTip(windows: Windows | undefined, at: number): Tip | undefined {
  if (!windows) return undefined;
  for (let i = 0; i < windows.list.length; i += 4) {
    const [from = 0, to = 0, admitted = 0, refused = 0] = windows.list.slice(i, i + 4);
    if (at < from || at >= to) continue;
    return {
      title: `Window from ${instantText(from)} to ${instantText(to)}`,
      lines: [
        `${countText(admitted)}${ofMax(windows, admitted)} admitted, ${countText(refused)} refused`,
        ...(windows.several ? ['of the one who had the most: several are counted apart'] : []),
      ],
    };
  }
  return undefined;
}

/** More than the limit are no proof: the service's own windows may begin elsewhere, and that is the verdict's to say. */
const ofMax = ({ comparable, max }: Windows, admitted: number): string =>
  comparable && admitted <= max ? ` of ${countText(max)}` : '';
