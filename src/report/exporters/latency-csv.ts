import { type NamedHistogram, type PercentileName, percentileNames } from '../../collect/index.ts';
import { percentileOf } from '../percentiles.ts';
import { type CsvColumn, type CsvValue, column, rowsAtTheEnd } from './csv.ts';
import type { Exporter } from './exporter.ts';

const names: Readonly<Record<PercentileName, string>> = {
  p50: 'the median',
  p90: 'the 90th percentile',
  p95: 'the 95th percentile',
  p99: 'the 99th percentile',
  p999: 'the 99.9th percentile',
};

const percentileIn = ({ distribution }: NamedHistogram, name: PercentileName) => percentileOf(distribution, name);

function percentileColumns(name: PercentileName): readonly CsvColumn<NamedHistogram>[] {
  const time = (suffix: string, meaning: string, value: (row: NamedHistogram) => CsvValue) =>
    column(`${name}_${suffix}`, meaning, value, 'µs');
  return [
    time('us', `${names[name]}; empty if there are too few samples`, (row) => percentileIn(row, name)?.us),
    time('low_us', 'lower 95 % bound; empty if the samples give none', (row) => percentileIn(row, name)?.bounds.lowUs),
    time(
      'high_us',
      'upper 95 % bound; empty if the samples give none',
      (row) => percentileIn(row, name)?.bounds.highUs,
    ),
  ];
}

const columns: readonly CsvColumn<NamedHistogram>[] = [
  column('metric', 'Metric', ({ metric }) => metric),
  column(
    'tags',
    'Its tags as tag:value, joined by spaces; empty without any',
    ({ tags }) =>
      Object.entries(tags)
        .map(([tag, value]) => `${tag}:${value}`)
        .join(' ') || undefined,
  ),
  column('count', 'Samples', ({ distribution }) => distribution.count),
  column('min_us', 'Lowest', ({ distribution }) => distribution.minUs, 'µs'),
  column('mean_us', 'Mean', ({ distribution }) => distribution.meanUs, 'µs'),
  column('max_us', 'Highest', ({ distribution }) => distribution.maxUs, 'µs'),
  ...percentileNames.flatMap(percentileColumns),
  column(
    'bounds_by',
    'How the bounds were computed, for the percentile with the least certain bounds: order-statistics (assumes independent samples) or batch-means',
    (row) => {
      const methods = percentileNames.map((name) => percentileIn(row, name)?.bounds.method);
      return methods.find((method) => method === 'batch-means') ?? methods.find((method) => method !== undefined);
    },
  ),
];

/** `latency.csv`: one row per distribution, with its percentiles and their bounds. */
export const latencyCsv: Exporter = {
  file: 'latency.csv',
  holds: 'one row per distribution: its percentiles, each with its bounds',
  columns,
  open: rowsAtTheEnd(columns, (measured) => measured.histograms()),
};
