import { inlineCanvas } from '../drawing/canvas.ts';
import { theme } from '../drawing/theme.ts';
import { countText } from '../words.ts';

/** Colour of a cell on a logarithmic scale: palest for one success, deepest for the maximum of all cells. */
export function heatColor(count: number, most: number): string {
  const stops = [theme['heat-0'], theme['heat-1'], theme['heat-2'], theme['heat-3']];
  const share = most > 1 ? Math.log(count) / Math.log(most) : 1;
  const place = Math.min(share, 0.999) * (stops.length - 1);
  const at = Math.floor(place);
  const mix = Math.round(100 * (place - at));
  return `color-mix(in oklab, ${stops[at + 1]} ${mix}%, ${stops[at]})`;
}

const [WIDTH, HEIGHT] = [120, 12];

/** The legend of the heat map: which time it shows, and the colour scale. */
export class HeatKey {
  readonly #words = document.createElement('span');
  readonly #colors = inlineCanvas(WIDTH, HEIGHT);
  readonly #most = document.createElement('span');

  constructor(host: HTMLElement) {
    const key = document.createElement('p');
    key.className = 'legend';
    key.append(this.#words, this.#colors, this.#most);
    host.append(key);
  }

  /** Redraws with the current colours. @param most maximum count of a cell; 0 without cells */
  update(time: string, most: number): void {
    this.#words.textContent =
      most > 1 ? `${time} time; successes in a cell: 1` : `${time} time; a cell has one success`;
    this.#most.textContent = most > 1 ? countText(most) : '';
    const context = this.#colors.getContext('2d');
    for (let x = 0; context && x < WIDTH; x++) {
      context.fillStyle = heatColor(most ** (x / (WIDTH - 1)), most);
      context.fillRect(x * devicePixelRatio, 0, devicePixelRatio, HEIGHT * devicePixelRatio);
    }
  }
}
