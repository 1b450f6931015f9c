import type uPlot from 'uplot';
import type { GeneratorSeries } from '../../html/page-data.ts';
import { lineLegend } from '../drawing/line-legend.ts';
import { decades, extent, fromZero } from '../drawing/scales.ts';
import { theme } from '../drawing/theme.ts';
import { type TimeChart, timeChart } from '../drawing/timeline.ts';
import type { PageState } from '../page-state.ts';
import { showTip } from '../tip.ts';
import { durationText, instantText } from '../words.ts';

type Column = 'eventLoopUs' | 'lagUs' | 'cpu';

const looks: Readonly<
  Record<
    Column,
    {
      readonly label: string;
      readonly color: 'success' | 'rate' | 'concurrency';
      readonly dash?: number[];
      readonly text: (value: number) => string;
    }
  >
> = {
  eventLoopUs: { label: 'event loop delay, p99', color: 'success', text: durationText },
  lagUs: { label: 'schedule lag, p99', color: 'rate', dash: [7, 4], text: durationText },
  cpu: { label: 'CPU of one core', color: 'concurrency', text: (value) => `${Number((value / 10).toPrecision(3))} %` },
};

/** Charts of the generator's health: delays and CPU. */
export class GeneratorPicture {
  readonly #charts: readonly TimeChart[];

  constructor(host: HTMLElement, state: PageState) {
    const series = () => state.pictures.generator;
    host.append(lineLegend(Object.values(looks)));
    const delays = () => extent([...series().eventLoopUs, ...series().lagUs].filter((value) => value > 0));
    const busiest = () => Math.max(100, ...series().cpu);
    this.#charts = [
      lineChart(host, series, ['eventLoopUs', 'lagUs'], decades(delays)),
      lineChart(host, series, ['cpu'], fromZero(busiest, looks.cpu.text)),
    ];
  }

  update(): void {
    for (const chart of this.#charts) chart.update();
  }

  resize(width?: number): void {
    for (const chart of this.#charts) chart.resize(width);
  }
}

function lineChart(
  host: HTMLElement,
  series: () => GeneratorSeries,
  columns: readonly Column[],
  y: ReturnType<typeof decades>,
): TimeChart {
  const known = (values: readonly number[]) => values.map((value) => (value < 0 ? null : Math.max(1, value)));
  const tip = (at: number, event: PointerEvent) => {
    const all = series();
    const nearest = all.at.reduce(
      (best, instant, i) => (Math.abs(instant - at) < Math.abs((all.at[best] ?? 0) - at) ? i : best),
      0,
    );
    const lines = columns.flatMap((column) => {
      const value = all[column][nearest] ?? -1;
      return value < 0 ? [] : [`${looks[column].label}: ${looks[column].text(value)}`];
    });
    if (lines.length > 0)
      showTip({ title: `Until ${instantText(all.at[nearest] ?? 0)}`, lines }, event.clientX, event.clientY);
  };
  return timeChart(host, {
    height: () => 150,
    label: () => `${columns.map((column) => worst(column, series()[column])).join('; ')}.`,
    y,
    series: columns.map((column) => lineOf(column)),
    data: () =>
      [series().at.map((at) => at / 1e6), ...columns.map((column) => known(series()[column]))] as uPlot.AlignedData,
    hover: (u, left, _, event) => tip(u.posToVal(left, 'x') * 1e6, event),
  });
}

/** Values below 0 are unknown. */
function worst(column: Column, values: readonly number[]): string {
  const { label, text } = looks[column];
  const most = Math.max(...values);
  return `${label}: ${most < 0 ? 'not measured' : `at most ${text(most)}`}`;
}

function lineOf(column: Column): uPlot.Series {
  const { color, dash } = looks[column];
  return {
    stroke: () => theme[color],
    width: 2,
    ...(dash && { dash }),
    points: { size: 5, fill: () => theme[color] },
    spanGaps: false,
  };
}
