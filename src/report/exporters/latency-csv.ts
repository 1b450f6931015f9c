import { type NamedHistogram, type PercentileName, percentileNames } from '../../collect/index.ts';
import { percentileOf } from '../percentiles.ts';
import { type CsvColumn, type CsvValue, rowsAtTheEnd } from './csv.ts';
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
  const column = (suffix: string, meaning: string, value: (row: NamedHistogram) => CsvValue) => ({
    name: `${name}_${suffix}`,
    unit: 'µs',
    meaning,
    value,
  });
  return [
    column('us', `${names[name]}; empty if there are too few samples`, (row) => percentileIn(row, name)?.us),
    column(
      'low_us',
      'lower 95 % bound; empty if the samples give none',
      (row) => percentileIn(row, name)?.bounds.lowUs,
    ),
    column(
      'high_us',
      'upper 95 % bound; empty if the samples give none',
      (row) => percentileIn(row, name)?.bounds.highUs,
    ),
  ];
}

const columns: readonly CsvColumn<NamedHistogram>[] = [
  { name: 'metric', meaning: 'Metric', value: ({ metric }) => metric },
  {
    name: 'tags',
    meaning: 'Its tags as tag:value, joined by spaces; empty without any',
    value: ({ tags }) =>
      Object.entries(tags)
        .map(([tag, value]) => `${tag}:${value}`)
        .join(' ') || undefined,
  },
  { name: 'count', meaning: 'Samples', value: ({ distribution }) => distribution.count },
  { name: 'min_us', unit: 'µs', meaning: 'Lowest', value: ({ distribution }) => distribution.minUs },
  { name: 'mean_us', unit: 'µs', meaning: 'Mean', value: ({ distribution }) => distribution.meanUs },
  { name: 'max_us', unit: 'µs', meaning: 'Highest', value: ({ distribution }) => distribution.maxUs },
  ...percentileNames.flatMap(percentileColumns),
  {
    name: 'bounds_by',
    meaning:
      'How the bounds were computed, for the percentile with the least certain bounds: order-statistics (assumes independent samples) or batch-means',
    value: (row) => {
      const methods = percentileNames.map((name) => percentileIn(row, name)?.bounds.method);
      return methods.find((method) => method === 'batch-means') ?? methods.find((method) => method !== undefined);
    },
  },
];

/** `latency.csv`: one row per distribution, with its percentiles and their bounds. */
export const latencyCsv: Exporter = {
  file: 'latency.csv',
  holds: 'one row per distribution: its percentiles, each with its bounds',
  columns,
  open: rowsAtTheEnd(columns, (measured) => measured.histograms()),
};
