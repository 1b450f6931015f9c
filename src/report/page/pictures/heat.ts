import type uPlot from 'uplot';
import type { HeatMap } from '../../html/page-data.ts';
import { clip } from '../drawing/plot-options.ts';
import { decades } from '../drawing/scales.ts';
import { type TimeChart, timeChart } from '../drawing/timeline.ts';
import type { PageState } from '../page-state.ts';
import { showTip } from '../tip.ts';
import { countText, durationText, instantText } from '../words.ts';
import { HeatKey, heatColor } from './heat-key.ts';

type Time = 'service' | 'response';
const times: readonly Time[] = ['response', 'service'];

/** Heat map of latencies over time. */
export class HeatPicture {
  readonly #state: PageState;
  readonly #chart: TimeChart;
  readonly #key: HeatKey;
  #time: Time = 'response';

  constructor(host: HTMLElement, state: PageState) {
    this.#state = state;
    host.append(this.#choice());
    this.#key = new HeatKey(host);
    this.#key.update(this.#time, mostOf(this.#cells()));
    this.#chart = timeChart(host, {
      height: () => 280,
      label: () => `Heat map of ${this.#time} times over time: ${countText(sumOf(this.#cells()))} successes.`,
      y: decades(() => this.#extent()),
      draw: (u) => clip(u, () => this.#draw(u)),
      hover: (u, left, top, event) => this.#hover(u.posToVal(left, 'x') * 1e6, u.posToVal(top, 'y'), event),
    });
  }

  update(): void {
    this.#key.update(this.#time, mostOf(this.#cells()));
    this.#chart.update();
  }

  resize(width?: number): void {
    this.#chart.resize(width);
  }

  #cells(): readonly number[] {
    return this.#state.pictures.heat[this.#time];
  }

  #extent(): readonly [number, number] {
    const { heat } = this.#state.pictures;
    const rows = [...rowsOf(heat.service), ...rowsOf(heat.response)];
    if (rows.length === 0) return [1_000, 1_000_000];
    return [edgeOf(heat, Math.min(...rows)), edgeOf(heat, Math.max(...rows) + 1)];
  }

  #choice(): HTMLElement {
    const group = document.createElement('div');
    group.className = 'tools';
    group.setAttribute('role', 'radiogroup');
    group.setAttribute('aria-label', 'Which time');
    const buttons = times.map((time) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = `${time} time`;
      button.setAttribute('role', 'radio');
      button.addEventListener('click', () => choose(time));
      group.append(button);
      return button;
    });
    const show = () =>
      buttons.forEach((button, i) => {
        button.setAttribute('aria-checked', String(times[i] === this.#time));
        button.tabIndex = times[i] === this.#time ? 0 : -1;
      });
    const choose = (time: Time) => {
      this.#time = time;
      show();
      buttons[times.indexOf(time)]?.focus();
      this.update();
    };
    group.addEventListener('keydown', (event) => {
      if (!event.key.startsWith('Arrow')) return;
      event.preventDefault();
      choose(this.#time === 'service' ? 'response' : 'service');
    });
    show();
    return group;
  }

  #draw(u: uPlot): void {
    const { heat } = this.#state.pictures;
    const cells = this.#cells();
    const most = mostOf(cells);
    const x = (column: number) => Math.round(u.valToPos((column * heat.columnUs) / 1e6, 'x', true));
    const y = (row: number) => Math.round(u.valToPos(edgeOf(heat, row), 'y', true));
    for (let i = 0; i < cells.length; i += 3) {
      const [column = 0, row = 0, count = 0] = cells.slice(i, i + 3);
      u.ctx.fillStyle = heatColor(count, most);
      const [left, top] = [x(column), y(row + 1)];
      u.ctx.fillRect(left, top, Math.max(1, x(column + 1) - left), Math.max(1, y(row) - top));
    }
  }

  #hover(at: number, us: number, event: PointerEvent): void {
    const { heat } = this.#state.pictures;
    const cells = this.#cells();
    const [column, row] = [
      Math.floor(at / heat.columnUs),
      Math.floor(Math.log10(Math.max(1, us)) * heat.rowsPerDecade + 1e-9),
    ];
    for (let i = 0; i < cells.length; i += 3) {
      if (cells[i] !== column || cells[i + 1] !== row) continue;
      const between = `${durationText(edgeOf(heat, row))} to ${durationText(edgeOf(heat, row + 1))}`;
      const when = `${instantText(column * heat.columnUs)} to ${instantText((column + 1) * heat.columnUs)}`;
      showTip(
        { title: `${countText(cells[i + 2] ?? 0)} successes`, lines: [`${this.#time} time ${between}`, when] },
        event.clientX,
        event.clientY,
      );
      return;
    }
  }
}

const edgeOf = ({ rowsPerDecade }: HeatMap, row: number): number => 10 ** (row / rowsPerDecade);
const rowsOf = (cells: readonly number[]): number[] => cells.filter((_, i) => i % 3 === 1);
const countsOf = (cells: readonly number[]): number[] => cells.filter((_, i) => i % 3 === 2);
const mostOf = (cells: readonly number[]): number => countsOf(cells).reduce((most, count) => Math.max(most, count), 0);
const sumOf = (cells: readonly number[]): number => countsOf(cells).reduce((sum, count) => sum + count, 0);
